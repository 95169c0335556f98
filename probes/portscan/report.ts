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
  /** the service was recognised by its response, not only by its port */
  recognised: boolean;
}

export interface Report {
  /** the report ends properly, and nmap reports success */
  complete: boolean;
  /** nmap reached its time limit, so the report contains no ports */
  gaveUp: boolean;
}

/** Maximum characters of a report to read; that of a thousand ports with long responses has 5 MiB. */
const MOST = 16 * 1024 * 1024;

/** Maximum number of parse errors, since each is expensive; a text with more is not a report. */
const MOST_ERRORS = 10_000;

/** Maximum length of a service's self-description, characters. */
const KEPT = 200;

/** A server's text for people: one line, without control characters and hidden characters. */
const plain = (text = ''): string | null => {
  const line = (part: string): string => part.replace(/[\p{C}\p{Zl}\p{Zp}\s]+/gu, ' ').trim();
  // Trimmed again, since the cut may have split a character.
  return line(line(text.slice(0, 4 * KEPT)).slice(0, KEPT)) || null;
};

/**
 * Parses the XML of `nmap -oX -`, in pieces of any size. Skips invalid XML: hosts send unexpected data, and a report
 * may be cut off.
 *
 * @param onPort called with each port as soon as it is parsed
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
