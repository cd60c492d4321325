using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Net.Http;
using System.Net.WebSockets;
using System.Threading.Tasks;
using System.Xml.Linq;
using static Gateway;

/// <summary>Follows the orders of a key, or the book of a product: README.md has the rules, the exam tries them.</summary>
static class Follow
{
    static readonly LocalBook Book = new LocalBook();
    static readonly Dictionary<string, XElement> Orders = new Dictionary<string, XElement>(); // by clientOrderId
    static readonly Dictionary<string, long> Revisions = new Dictionary<string, long>(); // the newest one of each order
    static readonly HashSet<string> Open = new HashSet<string>(); // the orders of the snapshot
    static readonly Random Chance = new Random();
    static bool complete; // the snapshot is here, and nothing is missing since
    static string completeTo; // nothing is missing until this time of the gateway

    static void Main() => Run(Read(File.ReadAllBytes(Setting("TASK")))).GetAwaiter().GetResult();

    static async Task Run(XElement task)
    {
        var isBook = Text(task, "task") == "book";
        var what = isBook ? $"\"orderBook\"],\"products\":[\"{Text(task, "product")}\"" : "\"orders\"";
        var end = DateTime.UtcNow.AddSeconds(Number(task, "seconds"));
        _ = Task.Delay(end.AddSeconds(20) - DateTime.UtcNow).ContinueWith(late => CannotKnow("it is still in a recovery"));
        for (var failures = 0; !complete; failures++)
            try
            {
                await Session("{\"type\":\"subscribe\",\"channels\":[\"heartbeat\"," + what + "]}", end);
            }
            catch (Exception doubt) when (doubt is IOException || doubt is WebSocketException || doubt is HttpRequestException
                || doubt is OperationCanceledException)
            {
                Console.Error.WriteLine("connecting again: " + doubt.Message);
                if (complete) failures = 0;
                complete = false;
                var pauseMs = Math.Min(100 * Math.Pow(2, failures), 5000) * (0.5 + Chance.NextDouble() / 2); // not all at once
                await Task.Delay((int)pauseMs);
            }
        var orders = Write(Orders.Values, "clientOrderId", "status", "filledQuantity");
        Console.WriteLine(isBook ? "{\"book\":" + Book + "}" : "{\"orders\":" + orders + "}");
        Environment.Exit(0); // now and then Mono does not end by itself
    }

    /// <summary>One connection, until the end or the first doubt: the snapshots of the next connection mend everything.</summary>
    static async Task Session(string subscription, DateTime end)
    {
        using (var connection = new Connection())
        {
            await connection.Open();
            await connection.Send(subscription);
            Open.Clear();
            for (var type = ""; !complete || type != "pong";) // all that was sent before a pong has been read
            {
                var message = await connection.Next();
                type = Text(message, "type");
                await Take(Text(message, "channel") + " " + type, message.Element("data"));
                if (type == "heartbeat" && DateTime.UtcNow > end) await connection.Send("{\"type\":\"ping\"}");
                if (complete || completeTo == null) completeTo = Text(message, "timestamp");
            }
        }
    }

    static async Task Take(string what, XElement data)
    {
        switch (what)
        {
            case "orderBook snapshot":
                Book.Snapshot(data);
                complete = true;
                break;
            case "orderBook update":
                Book.Update(data);
                break;
            case "orders snapshot":
                await Recover(data);
                break;
            case "orders update":
                Change(data.Element("order"), Number(data, "revision"));
                break;
        }
    }

    static void Change(XElement order, long revision)
    {
        if (Revisions.TryGetValue(Id(order), out var known) && revision <= known) return; // it is old
        Revisions[Id(order)] = revision;
        Orders[Id(order)] = order;
    }

    /// <summary>What ended while nobody listened is in no snapshot: known orders are read, and the list has the others.</summary>
    static async Task Recover(XElement snapshot)
    {
        foreach (var order in snapshot.Element("orders").Elements())
        {
            Orders[Id(order)] = order;
            Open.Add(Id(order));
        }
        if (Text(snapshot, "final") != "true") return; // another part follows
        foreach (var order in Orders.Values.Where(IsUnfinished).ToList())
            if (!Open.Contains(Id(order))) Orders[Id(order)] = await Get("/order/" + Text(order, "id"));
        var cursor = "";
        do
        {
            var page = await Get("/order?sort=ASC&startTime=" + completeTo + cursor);
            foreach (var order in page.Element("items").Elements())
                if (!Orders.ContainsKey(Id(order))) Orders[Id(order)] = order;
            cursor = "&cursor=" + Uri.EscapeDataString(Text(page.Element("pagination"), "nextCursor"));
        } while (cursor != "&cursor=");
        complete = true;
    }

    static string Id(XElement order) => Text(order, "clientOrderId");
    static bool IsUnfinished(XElement order) => Text(order, "status") == "OPEN" || Text(order, "status") == "PENDING";
}
