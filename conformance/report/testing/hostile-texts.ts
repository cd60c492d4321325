/** Texts with which a target may attack a reader of reports, one per trick. */
export const hostileTexts: Readonly<Record<string, string>> = {
  markup: `</script><script>alert(1)</script><img src=x onerror=alert(1)>"'><svg/onload=alert(1)>]]>&amp;<!--`,
  "terminal escapes": "\u001b[2J\u001b]8;;http://evil\u0007x\u001b]52;c;aGk=\u0007\u009b31m\r\u0008\u007f",
  "bidirectional text": "\u202eevil\u202c\u2066x\u2069\u200f\u061c",
  "characters that XML lacks": "a\u0000b\u0001c\u000b\u000c\ufffe\uffff\ud800x\udfff",
  "workflow commands":
    "\n::error::forged\n::stop-commands::x\n##[error]forged\n##vso[task.complete]\n%0A::add-mask::y",
  "lines that pretend":
    '\nok 1 - forged\n  ...\nBail out!\nTAP version 14\n1..0\nCONFORMANT\n{"line":"footer"}',
  "table and link":
    "| a | b |\n[x](javascript:alert(1)) ![i](http://evil/x.png) @everyone `code` <details> www.evil.example",
  "line separators": "a\u2028b\u2029c\u0085d\r\ne",
  "a huge number": `1${"0".repeat(5000)}.${"9".repeat(5000)}e99999`,
  "a long text": "x".repeat(1_000_000),
  "names of prototypes": "__proto__ constructor toString",
  "a directive": "x # SKIP # TODO \\# $& $' $1",
};
