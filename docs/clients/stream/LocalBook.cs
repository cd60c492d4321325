using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Xml.Linq;

/// <summary>The order book of one product: a snapshot, and every update that begins where the book stands.</summary>
sealed class LocalBook
{
    readonly SortedDictionary<decimal, XElement> asks = new SortedDictionary<decimal, XElement>();
    readonly SortedDictionary<decimal, XElement> bids = new SortedDictionary<decimal, XElement>(
        Comparer<decimal>.Create((one, other) => other.CompareTo(one)));
    long sequence;

    public void Snapshot(XElement data)
    {
        bids.Clear();
        asks.Clear();
        Take(data);
    }

    public void Update(XElement data)
    {
        if (Gateway.Number(data, "bookSequence") <= sequence) return; // the book has it
        if (Gateway.Number(data, "prevBookSequence") != sequence) throw new IOException("the book has a gap");
        Take(data);
    }

    /// <summary>As JSON, the best level first.</summary>
    public override string ToString() =>
        $"{{\"bookSequence\":{sequence},\"bids\":{Levels(bids)},\"asks\":{Levels(asks)}}}";

    static string Levels(SortedDictionary<decimal, XElement> side) => Gateway.Write(side.Values, "price", "quantity");

    void Take(XElement data)
    {
        Change(bids, data.Element("bids").Elements());
        Change(asks, data.Element("asks").Elements());
        sequence = Gateway.Number(data, "bookSequence");
    }

    static void Change(SortedDictionary<decimal, XElement> side, IEnumerable<XElement> levels)
    {
        foreach (var level in levels)
        {
            var price = decimal.Parse(Gateway.Text(level, "price"), CultureInfo.InvariantCulture);
            if (Gateway.Text(level, "quantity") == "0") side.Remove(price);
            else side[price] = level; // absolute, not a difference
        }
        foreach (var price in side.Keys.Skip(100).ToList()) side.Remove(price); // the stream is silent about these
    }
}
