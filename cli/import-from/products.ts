import type { Imported } from './imported.ts';
import { readTexts, type TextFile } from './read-texts.ts';

/** A product whose setup can be imported. */
export interface Product {
  /** the name of the subcommand */
  name: string;
  /** the title of the product */
  title: string;
  /** what the arguments are, for the help */
  files: string;
  /**
   * Reads files.
   *
   * @throws OperatorError a file can't be read, or has another format; the message names the file
   */
  read: (paths: readonly string[]) => Promise<Imported>;
}

/** A source reads the contents of files. It does no I/O. */
type Source = (files: TextFile[]) => Imported;

const fromTexts =
  (load: () => Promise<{ read: Source }>) =>
  async (paths: readonly string[]): Promise<Imported> => {
    const { read } = await load();
    return read(await readTexts(paths));
  };

/** All products, in the order of the help. The code of a source is loaded when it is used. */
export const PRODUCTS: readonly Product[] = [
  {
    name: 'uptime-kuma',
    title: 'Uptime Kuma',
    files: 'kuma.db, or a JSON backup of version 1.x',
    read: async (paths) => {
      const { readOne } = await import('./uptime-kuma/source.ts');
      return readOne(paths);
    },
  },
  {
    name: 'uptimerobot',
    title: 'UptimeRobot',
    files: 'exports of monitors as CSV or JSON',
    read: fromTexts(() => import('./uptimerobot/source.ts')),
  },
  {
    name: 'gatus',
    title: 'Gatus',
    files: 'config.yaml, or the files of its folder',
    read: fromTexts(() => import('./gatus/source.ts')),
  },
  {
    name: 'healthchecks',
    title: 'Healthchecks',
    files: 'responses of the API: checks, and integrations',
    read: fromTexts(() => import('./healthchecks/source.ts')),
  },
  {
    name: 'statuspage',
    title: 'Statuspage',
    files: 'JSON of its API, and CSV of components and subscribers',
    read: fromTexts(() => import('./statuspage/source.ts')),
  },
  {
    name: 'blackbox',
    title: 'Prometheus Blackbox exporter',
    files: 'prometheus.yml and blackbox.yml',
    read: fromTexts(() => import('./blackbox/source.ts')),
  },
];
