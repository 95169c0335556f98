import { SaxesParser } from 'saxes';

/** A port in nmap's report. */
export interface ReportedPort {
  port: number;
  /** `open`, `closed`, `filtered`, `open|filtered` … */
  state: string;
  service: string | null;
  product: string | null;
  version: string | null;
  extrainfo: string | null;
  /** whether the service was recognised by its response, not only by its port */
  recognised: boolean;
}

export interface Report {
  /** whether the report has a proper end that says that the scan succeeded */
  complete: boolean;
  /** whether nmap reached its time limit; the report then contains no ports */
  gaveUp: boolean;
}

/** Maximum length of a report, in characters. A report of a thousand ports with long responses has 5 million. */
const MOST = 16 * 1024 * 1024;

/** Maximum number of parse errors, because each is expensive. A text with more errors is not a report. */
const MOST_ERRORS = 10_000;

/** Maximum length of a text that a server returned, in characters. */
const KEPT = 200;

/** Converts a server's text to one line without control characters and hidden characters; null if it is empty. */
const plain = (text = ''): string | null => {
  const line = (part: string): string => part.replace(/[\p{C}\p{Zl}\p{Zp}\s]+/gu, ' ').trim();
  // The cut may have split a character, so the result is cleaned again.
  return line(line(text.slice(0, 4 * KEPT)).slice(0, KEPT)) || null;
};

/**
 * Parses the XML of `nmap -oX -`, in pieces of any size. Skips invalid XML: a report may contain unexpected data of a
 * server, and may be cut off.
 *
 * @param onPort is called with each port as soon as the port is parsed
 */
export const readReport = (onPort: (port: ReportedPort) => void) => {
  const report: Report = { complete: false, gaveUp: false };
  const parser = new SaxesParser({ position: false });
  let read = 0;
  let errors = 0;
  let port: ReportedPort | null = null;

  parser.on('error', () => {
    errors++;
  });
  parser.on('opentag', ({ name, attributes }) => {
    const given = attributes as Record<string, string>;
    if (name === 'port') {
      const number = Number(given['portid']);
      if (!Number.isInteger(number) || number < 1 || number > 65_535) return;
      const unknown = { service: null, product: null, version: null, extrainfo: null, recognised: false };
      port = { port: number, state: 'unknown', ...unknown };
    } else if (name === 'state' && port) port.state = plain(given['state']) ?? 'unknown';
    else if (name === 'service' && port) {
      const service = plain(given['name']);
      port.service = service === 'unknown' ? null : service;
      if (port.service !== null && given['tunnel'] === 'ssl') port.service = `ssl/${port.service}`;
      port.product = plain(given['product']);
      port.version = plain(given['version']);
      port.extrainfo = plain(given['extrainfo']);
      port.recognised = given['method'] === 'probed';
    } else if (name === 'host' && given['timedout'] === 'true') report.gaveUp = true;
    else if (name === 'finished') report.complete = given['exit'] === 'success';
  });
  parser.on('closetag', ({ name }) => {
    if (name !== 'port' || !port) return;
    onPort(port);
    port = null;
  });

  return {
    report,
    feed: (text: string): void => {
      read += text.length;
      if (read <= MOST && errors <= MOST_ERRORS) parser.write(text);
    },
  };
};
