// Places and cancels orders so that none is doubled and none is lost: the rules are in docs/clients/README.md, and
// `gatewright exam` tries them. It needs .NET 6 or later, or Mono, and nothing else; JSON is read as XML, which both can do.
using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Net.Http;
using System.Runtime.Serialization.Json;
using System.Security.Cryptography;
using System.Text;
using System.Threading;
using System.Xml;
using System.Xml.Linq;

static class Careful
{
    static readonly string Base = Setting("BASE_URL"), Key = Setting("KEY_ID"), Secret = Setting("SECRET");
    static readonly HttpClient Http = new HttpClient(new HttpClientHandler { AllowAutoRedirect = false })
        { Timeout = TimeSpan.FromSeconds(10) };
    static readonly Random Chance = new Random();
    static TimeSpan ahead = TimeSpan.Zero; // by which the clock of the gateway is ahead of ours, as its `Date` shows

    static string Setting(string name) =>
        Environment.GetEnvironmentVariable("GATEWRIGHT_" + name) ?? throw CannotKnow($"GATEWRIGHT_{name} is not set");

    static Exception CannotKnow(string why)
    {
        Console.Error.WriteLine(why);
        Environment.Exit(3);
        return new Exception(why);
    }

    static XElement Read(string json) =>
        XElement.Load(JsonReaderWriterFactory.CreateJsonReader(Encoding.UTF8.GetBytes(json), XmlDictionaryReaderQuotas.Max));

    /// <summary>A member as text; empty when there is none. Amounts stay texts: a double would not keep them exact.</summary>
    static string Text(XElement of, string name) => of?.Element(name)?.Value ?? "";

    /// <summary>Texts without quotes in them: ids, decimals and words.</summary>
    static string Write(Dictionary<string, string> members) =>
        "{" + string.Join(",", members.Select(member => $"\"{member.Key}\":\"{member.Value}\"")) + "}";

    static string Hex(byte[] bytes) => BitConverter.ToString(bytes).Replace("-", "").ToLowerInvariant();

    /// <summary>One try, with a nonce, a time and a signature of its own.</summary>
    static HttpRequestMessage Signed(string method, string route, string body)
    {
        var request = new HttpRequestMessage(new HttpMethod(method), Base + route);
        var (time, nonce) = ((DateTimeOffset.UtcNow + ahead).ToUnixTimeMilliseconds().ToString(), Guid.NewGuid().ToString());
        using (var sha = SHA256.Create())
        using (var hmac = new HMACSHA256(Encoding.UTF8.GetBytes(Secret)))
        {
            var hash = Hex(sha.ComputeHash(Encoding.UTF8.GetBytes(body)));
            var lines = string.Join("\n", time, nonce, method, request.RequestUri.AbsolutePath, "application/json", hash);
            request.Headers.Add("X-API-KEY", Key);
            request.Headers.Add("X-API-TIMESTAMP", time);
            request.Headers.Add("X-API-NONCE", nonce);
            request.Headers.Add("X-API-SIGNATURE", Hex(hmac.ComputeHash(Encoding.UTF8.GetBytes(lines))));
        }
        request.Content = new ByteArrayContent(Encoding.UTF8.GetBytes(body));
        request.Content.Headers.Add("Content-Type", "application/json");
        return request;
    }

    /// <summary>Tries again while nobody can say what became of the request: the same body, and so the same client_order_id.</summary>
    static XElement Call(string method, string route, string body = "")
    {
        for (int tries = 0, refused = 0; tries < 10; tries++)
        {
            var pause = Math.Min(0.1 * Math.Pow(2, tries), 5) * (0.75 + Chance.NextDouble() / 4); // not all clients at once
            try
            {
                var answer = Http.SendAsync(Signed(method, route, body)).Result;
                var (status, text) = ((int)answer.StatusCode, answer.Content.ReadAsStringAsync().Result);
                if (status == 200) return Read(text).Element("data") ?? throw new XmlException("an answer without data");
                Console.Error.WriteLine($"{method} {route}: {status} {text}");
                if (status == 401 && refused++ < 2) // a clock that is off, or a used nonce
                    ahead = (answer.Headers.Date ?? DateTimeOffset.UtcNow) - DateTimeOffset.UtcNow;
                else if (status != 429 && status < 500) return null;
                pause += answer.Headers.RetryAfter?.Delta?.TotalSeconds ?? 0;
            }
            catch (Exception lost) when (lost is AggregateException || lost is XmlException || lost is IOException)
            {
                Console.Error.WriteLine($"{method} {route}: {lost.GetBaseException().Message}"); // it may have been done
            }
            Thread.Sleep(TimeSpan.FromSeconds(pause));
        }
        throw CannotKnow($"{method} {route}: no answer in ten tries");
    }

    /// <summary>An answer to a placement or a cancel may be older than its order: it is read until its status is no passing one.</summary>
    static XElement Settled(string id, string passing)
    {
        for (var tries = 0; tries < 50; tries++)
        {
            var order = Call("GET", "/order/" + id);
            if (Text(order, "status") != "" && !passing.Contains(Text(order, "status"))) return order;
            Thread.Sleep(200);
        }
        throw CannotKnow($"{id} stays {passing}");
    }

    static string Told(string id, string status, string filled) =>
        Write(new Dictionary<string, string> { ["clientOrderId"] = id, ["status"] = status, ["filledQuantity"] = filled });

    static void Main()
    {
        var task = Read(File.ReadAllText(Setting("TASK")));
        var (said, ids, cancels) = (new List<string>(), new List<string>(), Text(task, "task") == "cancel");
        foreach (var wanted in task.Element("orders").Elements())
        {
            var own = Guid.NewGuid().ToString();
            var members = wanted.Elements().ToDictionary(one => one.Name.LocalName, one => one.Value);
            members["client_order_id"] = own;
            var body = Write(members);
            var placed = Call("POST", "/order", body);
            // The exchange may have it all the same: the same again shows the order, if there is one, and makes no other.
            if (Text(placed, "type").EndsWith("_EXECUTION_FAILED")) placed = Call("POST", "/order", body);
            var id = Text(placed?.Element("order"), "id");
            if (id != "") ids.Add(id);
            else said.Add(Told(own, "REJECTED", "0"));
        }
        foreach (var id in cancels ? ids : new List<string>())
        {
            Settled(id, "PENDING"); // a PENDING order is not cancelled yet
            Call("DELETE", "/order/" + id); // what it became, done or refused, shows below
        }
        foreach (var id in ids)
        {
            var order = Settled(id, cancels ? "PENDING OPEN" : "PENDING"); // a cancel may take its time
            said.Add(Told(Text(order, "clientOrderId"), Text(order, "status"), Text(order, "filledQuantity")));
        }
        Console.WriteLine("{\"orders\":[" + string.Join(",", said) + "]}");
    }
}
