const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00a0' };

/** A text of Markdown with its usual entities read; others stay as they were written. */
export const withoutEntities = (text: string): string =>
  text.replace(/&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|([a-z]{2,4}));/g, (all, decimal, hexadecimal, name) => {
    if (typeof name === 'string') return NAMED[name] ?? all;
    const code = typeof decimal === 'string' ? Number(decimal) : Number.parseInt(String(hexadecimal), 16);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : all;
  });
