import { SaxesParser } from 'saxes';

/** A port as nmap's report has it. */
export interface ReportedPort {
  port: number;
  /** `open`, `closed`, `filtered`, `open|filtered` … */
  state: string;
  service: string | null;
  product: string | null;
  version: string | null;
  extrainfo: string | null;
  /** the service was recognised by its answer, and not only by its port */
  recognised: boolean;
}

export interface Report {
  /** it was read to its end, and nmap says that all went well */
  complete: boolean;
  /** nmap ran out of time, so the report has no ports */
  gaveUp: boolean;
}

/** How much of a report is read, characters; that of a thousand ports with long answers has 5 MiB. */
const MOST = 16 * 1024 * 1024;

/** After so many errors it is not a report: each one costs the parser much time. */
const MOST_ERRORS = 10_000;

/** How much of what a service says about itself is kept, characters. */
const KEPT = 200;

/** A server's text for people: one line, without anything that controls a terminal or hides letters. */
const plain = (text = ''): string | null => {
  const line = (part: string): string => part.replace(/[\p{C}\p{Zl}\p{Zp}\s]+/gu, ' ').trim();
  // Again, since the end may be half a letter.
  return line(line(text.slice(0, 4 * KEPT)).slice(0, KEPT)) || null;
};

/**
 * Reads the XML of `nmap -oX -`, in pieces cut anywhere. Invalid XML is skipped: hosts say odd things, and a report may
 * be cut off.
 *
 * @param onPort called with each port as soon as it has been read
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
