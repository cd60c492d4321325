// Places and cancels orders so that none is doubled and none is lost: the rules are in docs/clients/README.md, and
// `gatewright exam` tries them. It needs .NET 6 or later, or Mono, and nothing else; JSON is read as XML, which both can do.
using System;
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
    static readonly string Base = Setting("BASE_URL");
    static readonly HMACSHA256 Hmac = new HMACSHA256(Encoding.UTF8.GetBytes(Setting("SECRET")));
    static readonly HttpClient Http = new HttpClient(new HttpClientHandler { AllowAutoRedirect = false })
        { Timeout = TimeSpan.FromSeconds(10) };
    static readonly Random Chance = new Random();
    static TimeSpan ahead = TimeSpan.Zero; // by which the clock of the gateway is ahead of ours, as its `Date` shows

    static string Setting(string name) => Environment.GetEnvironmentVariable("GATEWRIGHT_" + name);
    static string Hex(byte[] bytes) => BitConverter.ToString(bytes).Replace("-", "").ToLowerInvariant();

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
    static string Write(XElement of) => "{" + string.Join(",", of.Elements().Select(it => $"\"{it.Name}\":\"{it.Value}\"")) + "}";

    /// <summary>One try, with a nonce, a time and a signature of its own.</summary>
    static HttpRequestMessage Signed(string method, string route, string body)
    {
        var bytes = Encoding.UTF8.GetBytes(body); // hashed and sent: the same bytes
        var request = new HttpRequestMessage(new HttpMethod(method), Base + route) { Content = new ByteArrayContent(bytes) };
        var (time, nonce) = ((DateTimeOffset.UtcNow + ahead).ToUnixTimeMilliseconds().ToString(), Guid.NewGuid().ToString());
        var (path, hash) = (request.RequestUri.AbsolutePath, Hex(SHA256.Create().ComputeHash(bytes)));
        var lines = string.Join("\n", time, nonce, method, path, "application/json", hash);
        request.Headers.Add("X-API-KEY", Setting("KEY_ID"));
        request.Headers.Add("X-API-TIMESTAMP", time);
        request.Headers.Add("X-API-NONCE", nonce);
        request.Headers.Add("X-API-SIGNATURE", Hex(Hmac.ComputeHash(Encoding.UTF8.GetBytes(lines))));
        request.Content.Headers.Add("Content-Type", "application/json");
        return request;
    }

    /// <summary>Tries again while nobody knows what became of the request: the same body, so the same client_order_id.</summary>
    static XElement Call(string method, string route, string body = "")
    {
        for (int tries = 0, refused = 0; tries < 10; tries++) // a 401: a clock that is off, or a used nonce
        {
            var pause = Math.Min(0.1 * Math.Pow(2, tries), 5) * (0.75 + Chance.NextDouble() / 4); // not all clients at once
            try
            {
                var answer = Http.SendAsync(Signed(method, route, body)).Result;
                var (status, text) = ((int)answer.StatusCode, answer.Content.ReadAsStringAsync().Result);
                if (status == 200) return Read(text).Element("data") ?? throw new XmlException("an answer without data");
                Console.Error.WriteLine($"{method} {route}: {status} {text}");
                if (status == 401 && refused++ < 2) ahead = answer.Headers.Date - DateTimeOffset.UtcNow ?? TimeSpan.Zero;
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

    /// <summary>The answer to a placement or a cancel may be old: the order is read until its status is no passing one.</summary>
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

    static string Place(XElement wanted)
    {
        wanted.Add(new XElement("client_order_id", Guid.NewGuid()));
        var placed = Call("POST", "/order", Write(wanted));
        // The exchange may have it all the same: the same again shows the order, if there is one, and makes no other.
        if (Text(placed, "type").EndsWith("_EXECUTION_FAILED")) placed = Call("POST", "/order", Write(wanted));
        return Text(placed?.Element("order"), "id"); // empty when it was refused
    }

    static void Main()
    {
        var task = Read(File.ReadAllText(Setting("TASK")));
        var ids = task.Element("orders").Elements().Select(Place).Where(id => id != "").ToList();
        var cancels = Text(task, "task") == "cancel";
        foreach (var id in ids.Where(_ => cancels))
        {
            Settled(id, "PENDING"); // a PENDING order is not cancelled yet
            Call("DELETE", "/order/" + id); // what it became, done or refused, shows below
        }
        var orders = ids.Select(id => Settled(id, cancels ? "PENDING OPEN" : "PENDING")); // a cancel may take its time
        var names = new[] { "clientOrderId", "status", "filledQuantity" };
        var said = orders.Select(order => Write(new XElement("order", names.Select(name => order.Element(name)))));
        Console.WriteLine("{\"orders\":[" + string.Join(",", said) + "]}");
    }
}
