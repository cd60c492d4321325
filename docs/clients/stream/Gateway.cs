using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Net.Http;
using System.Net.WebSockets;
using System.Runtime.Serialization.Json;
using System.Security.Cryptography;
using System.Text;
using System.Threading;
using System.Threading.Tasks;
using System.Xml;
using System.Xml.Linq;

/// <summary>Signed requests to the gateway, each a GET without a body. The handshake of its stream is one of them.</summary>
static class Gateway
{
    const string HashOfNothing = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"; // SHA-256
    static readonly string Base = Setting("BASE_URL");
    static readonly HttpClient Http = new HttpClient { Timeout = TimeSpan.FromSeconds(10) };

    public static string Setting(string name) => Environment.GetEnvironmentVariable("GATEWRIGHT_" + name);

    /// <summary>JSON is read as XML, which both .NET and Mono can do without a package.</summary>
    public static XElement Read(byte[] json) =>
        XElement.Load(JsonReaderWriterFactory.CreateJsonReader(json, XmlDictionaryReaderQuotas.Max));

    /// <summary>A member as text; empty when there is none. Amounts stay texts: a double would not keep them exact.</summary>
    public static string Text(XElement of, string name) => of?.Element(name)?.Value ?? "";

    public static long Number(XElement of, string name) => long.Parse(Text(of, name), CultureInfo.InvariantCulture);

    /// <summary>Some members of each as JSON: texts without quotes in them.</summary>
    public static string Write(IEnumerable<XElement> all, params string[] names)
    {
        var written = all.Select(one => string.Join(",", names.Select(name => $"\"{name}\":\"{Text(one, name)}\"")));
        return "[" + string.Join(",", written.Select(members => "{" + members + "}")) + "]";
    }

    /// <summary>The `data` of the answer.</summary>
    public static async Task<XElement> Get(string route)
    {
        var request = new HttpRequestMessage(HttpMethod.Get, Base + route) { Content = new ByteArrayContent(new byte[0]) };
        foreach (var header in Signed(route)) request.Headers.Add(header.Key, header.Value);
        request.Content.Headers.Add("Content-Type", "application/json");
        var answer = await Http.SendAsync(request);
        var body = await answer.Content.ReadAsByteArrayAsync();
        var status = (int)answer.StatusCode;
        if (status == 200) return Read(body).Element("data");
        var refusal = $"{route}: {status} {Encoding.UTF8.GetString(body)}";
        if (status != 429 && status < 500) throw CannotKnow(refusal); // it would be the same again
        await Task.Delay(answer.Headers.RetryAfter?.Delta ?? TimeSpan.Zero);
        throw new IOException(refusal);
    }

    /// <summary>The query of a route is sent and not signed.</summary>
    public static Dictionary<string, string> Signed(string route)
    {
        var (time, nonce) = (DateTimeOffset.UtcNow.ToUnixTimeMilliseconds().ToString(), Guid.NewGuid().ToString());
        var lines = string.Join("\n", time, nonce, "GET", new Uri(Base + route).AbsolutePath, "application/json", HashOfNothing);
        using (var hmac = new HMACSHA256(Encoding.UTF8.GetBytes(Setting("SECRET"))))
        {
            var signature = BitConverter.ToString(hmac.ComputeHash(Encoding.UTF8.GetBytes(lines)));
            return new Dictionary<string, string>
            {
                ["X-API-KEY"] = Setting("KEY_ID"),
                ["X-API-TIMESTAMP"] = time,
                ["X-API-NONCE"] = nonce,
                ["X-API-SIGNATURE"] = signature.Replace("-", "").ToLowerInvariant(),
            };
        }
    }

    public static Exception CannotKnow(string why)
    {
        Console.Error.WriteLine(why);
        Environment.Exit(3);
        return new InvalidOperationException(why);
    }
}
