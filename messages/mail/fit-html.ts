/** The HTML of a text, or of its beginning. */
export interface CutHtml {
  html: string;
  /** whether the end of the text is missing */
  cut: boolean;
}

/**
 * Number of attempts in which the text is shortened only by the estimated excess. In each further attempt, the text is
 * halved, which bounds the total time.
 */
const CLOSE_ATTEMPTS = 3;

/** Renders as much of a text as fits into `mostBytes` of HTML, cut between lines or words. */
export const fitHtml = (text: string, mostBytes: number, write: (part: string) => string): CutHtml => {
  // Every character takes at least one byte of HTML, so no more characters than this can fit.
  let part = text.length > mostBytes ? beginning(text, mostBytes) : text;
  for (let attempt = 1; ; attempt += 1) {
    const html = write(part);
    const size = Buffer.byteLength(html);
    if (size <= mostBytes) return { html, cut: part.length < text.length };
    const share = Math.min(attempt > CLOSE_ATTEMPTS ? 0.5 : 0.9, mostBytes / size);
    part = beginning(part, Math.floor(part.length * share));
  }
};

const beginning = (text: string, length: number): string => {
  const part = text.slice(0, isHighSurrogate(text.charCodeAt(length - 1)) ? length - 1 : length);
  const end = Math.max(part.lastIndexOf('\n'), part.lastIndexOf(' '));
  return end > length / 2 ? part.slice(0, end) : part;
};

const isHighSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;
