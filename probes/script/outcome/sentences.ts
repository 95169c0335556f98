/** Ends a text with a full stop, unless it ends with other punctuation or has several lines. */
export const sentence = (text: string): string => (/[.?!…]$/.test(text) || text.includes('\n') ? text : `${text}.`);

/** Formats milliseconds as seconds: `3.5 s`. */
export const seconds = (milliseconds: number): string => `${Math.round(milliseconds / 100) / 10} s`;
