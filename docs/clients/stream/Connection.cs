using System;
using System.IO;
using System.Linq;
using System.Net.WebSockets;
using System.Text;
using System.Threading;
using System.Threading.Tasks;
using System.Xml.Linq;

/// <summary>One connection to the stream. Whatever it throws is a doubt, and connecting again helps.</summary>
sealed class Connection : IDisposable
{
    static readonly string[] Passing = { "RATE_LIMITED", "SLOW_CONSUMER", "NOT_READY" };
    readonly ClientWebSocket socket = new ClientWebSocket();
    readonly byte[] buffer = new byte[65536];
    long received; // the number of the last message

    public async Task Open()
    {
        foreach (var header in Gateway.Signed("/ws")) socket.Options.SetRequestHeader(header.Key, header.Value);
        socket.Options.SetRequestHeader("Content-Type", "application/json");
        try
        {
            var connecting = socket.ConnectAsync(new Uri(Gateway.Setting("WS_URL")), CancellationToken.None);
            var first = await Task.WhenAny(connecting, Task.Delay(5000)); // Mono would not heed a token during the handshake
            if (first != connecting) throw new IOException("no answer to the handshake");
            await connecting;
        }
        catch (WebSocketException)
        {
            // Mono and .NET 6 do not show the answer to a refused handshake. An ordinary request is refused for the same
            // reason and shows it. It waits for a second, because the answer may have had a Retry-After.
            await Task.Delay(1000);
            await Gateway.Get("/order/open?limit=1");
            throw;
        }
    }

    public async Task Send(string text)
    {
        var bytes = new ArraySegment<byte>(Encoding.UTF8.GetBytes(text));
        await socket.SendAsync(bytes, WebSocketMessageType.Text, true, CancellationToken.None);
    }

    /// <summary>Messages are numbered from 1.</summary>
    public async Task<XElement> Next()
    {
        while (true)
        {
            var message = await Receive();
            var (type, code) = (Gateway.Text(message, "type"), Gateway.Text(message, "code"));
            if (Passing.Contains(code)) throw new IOException(code);
            if (type == "error") throw Gateway.CannotKnow($"{code}: {Gateway.Text(message, "message")}");
            var number = Gateway.Number(message, "sequence");
            if (number <= received) continue; // a duplicate
            if (number > ++received) throw new IOException($"message {received} is missing");
            return message;
        }
    }

    async Task<XElement> Receive()
    {
        using (var silence = new CancellationTokenSource(3000)) // a heartbeat comes every second
        using (var bytes = new MemoryStream())
            while (true)
            {
                var part = await socket.ReceiveAsync(new ArraySegment<byte>(buffer), silence.Token);
                if (part.MessageType == WebSocketMessageType.Close) throw new IOException($"closed with {part.CloseStatus}");
                bytes.Write(buffer, 0, part.Count);
                if (part.EndOfMessage) return Gateway.Read(bytes.ToArray());
            }
    }

    public void Dispose() => socket.Abort();
}
