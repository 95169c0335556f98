import { hash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { isAbsolute, publicAddress, type PublicAddressSettings } from '../../domain/page/public-address.ts';
import { visibleComponents } from '../../domain/page/visible-components.ts';
import { instantOf } from '../../domain/time.ts';
import { calendarOf } from '../../domain/uptime/days.ts';
import type { PageDocument } from '../../projections/pages/documents.ts';
import type { Read } from '../../projections/readers.ts';
import { listComponents } from '../../queries/pages/components.ts';
import { incidentEntries, type IncidentEntry } from '../../queries/pages/incident-entries.ts';
import { pageOfSubdomain } from '../../queries/pages/pages.ts';
import { isOpenToEveryone } from '../../domain/page/access.ts';
import { OperatorError } from '../../service/operator-error.ts';
import {
  hostedAddressOf,
  addressOfFile,
  componentAddresses,
  exportedPath,
  exportedFileOf,
  groupAddresses,
  incidentAddresses,
  isFollowed,
  isSafe,
  monthAddresses,
  PAGE_ADDRESSES,
  pageAddressOf,
} from './files.ts';
import type { ExportFolder } from './folder.ts';
import { linksOf, rewriteLinks } from './links.ts';
import type { FetchPage, PageResponse } from './local-site.ts';

/** Maximum number of months whose history is exported: twenty years. */
const MAX_MONTHS = 240;
/** Maximum number of incidents for which a card is drawn. Drawing a card takes a tenth of a second. */
const MAX_CARDS = 200;
/**
 * Attempts to render an address, and the pause between two of them in milliseconds. On a busy machine a card can take
 * longer to draw than visitors wait, and the response is 503.
 */
const ATTEMPTS = 5;
const PAUSE_MS = 1_000;
/** Maximum number of addresses in one part, including linked ones. Real pages have far fewer. */
const MAX_ADDRESSES = 50_000;

/**
 * A part of the export, such as an incident. A part is rendered again when its version changes. A part without a
 * version (null) is rendered on every export.
 */
interface Part {
  name: string;
  version: string | null;
  addresses: readonly string[];
}

/** The files that were rendered for a part. */
interface RenderedPart {
  version: string | null;
  files: readonly string[];
}

export interface ExportedPage {
  files: number;
  written: number;
  removed: number;
}

export interface PageExportRequest {
  page: PageDocument;
  read: Read;
  fetch: FetchPage;
  places: PublicAddressSettings;
  folder: ExportFolder;
  /** milliseconds since 1970 */
  now: number;
}

/** Thrown if the page does not exist, or if only `--include-private` allows its export. */
export class PageNotExportable extends OperatorError {}

/** Finds a page by its subdomain. @throws PageNotExportable the page does not exist, or is not public */
export const pageToExport = async (read: Read, subdomain: string, includePrivate: boolean): Promise<PageDocument> => {
  const page = await pageOfSubdomain(read, subdomain);
  if (!page) throw new PageNotExportable(`No page has the subdomain "${subdomain}".`);
  if (includePrivate || (isOpenToEveryone(page) && !page.hidden_from_search)) return page;
  throw new PageNotExportable(
    `The page "${subdomain}" is hidden from search or not public. Use --include-private to export it anyway: everybody who can read the folder will then see it.`,
  );
};

/**
 * Returns a function that exports one page repeatedly. An ended incident is rendered again only if it has changed since
 * the previous export.
 */
export const createPageExport = (): ((given: PageExportRequest) => Promise<ExportedPage>) => {
  let last: ReadonlyMap<string, RenderedPart> = new Map();
  return async (given) => {
    const { page, folder, places } = given;
    const collected = collecting(given);
    const rendered = new Map<string, RenderedPart>();
    for (const part of await partsOf(given)) {
      const before = last.get(part.name);
      const isSame = before && part.version !== null && before.version === part.version;
      const unchanged = isSame && collected.keep(before.files) ? before.files : null;
      rendered.set(part.name, { version: part.version, files: unchanged ?? (await collected.add(part.addresses)) });
    }
    last = rendered;
    const address = publicAddress(page, places);
    collected.writePages(isAbsolute(address) ? address : null);
    return { ...collected.counts(), removed: folder.finish() };
  };
};

/**
 * Fetches addresses and writes the responses into the folder. HTML pages are written last, when all link targets are
 * known.
 */
const collecting = ({ page, fetch, folder }: PageExportRequest) => {
  /** the file of each exported path; null: the service responded with 404 */
  const found = new Map<string, string | null>();
  const pages = new Map<string, string>();
  let written = 0;

  const write = (file: string, content: string | Uint8Array): void => {
    if (folder.write(file, content)) written += 1;
  };

  const get = async (address: string): Promise<string | null> => {
    const place = pageAddressOf(address);
    const path = exportedPath(place);
    if (path !== '' && !isSafe(path)) return null;
    const render = (): Promise<PageResponse> => fetch(page.subdomain, place, hostedAddressOf(path));
    let response = await render();
    for (let attempt = 1; response.status === 503 && attempt < ATTEMPTS; attempt++) {
      await sleep(PAUSE_MS);
      response = await render();
    }
    const { status, isPage, content } = response;
    if (status === 404) return null;
    if (status !== 200) throw new OperatorError(`The service responded to /${address} with ${status}.`);
    const file = exportedFileOf(path, isPage);
    if (isPage) pages.set(file, content.toString());
    else write(file, content);
    return file;
  };

  return {
    /** Keeps the files of an unchanged part. @returns false if one of the files no longer exists */
    keep: (files: readonly string[]): boolean => {
      if (!files.every((file) => folder.markUnchanged(file))) return false;
      for (const file of files) found.set(addressOfFile(file).replace(/\/$/, ''), file);
      return true;
    },
    /** Fetches addresses, and the addresses that their pages link to. @returns the files of all of them */
    add: async (addresses: readonly string[]): Promise<string[]> => {
      const queue = [...addresses];
      const files: string[] = [];
      for (let at = 0; at < queue.length && at < MAX_ADDRESSES; at++) {
        const address = queue[at] ?? '';
        const path = exportedPath(pageAddressOf(address));
        if (found.has(path)) continue;
        const file = await get(address);
        found.set(path, file);
        if (file === null) continue;
        files.push(file);
        const linked = linksOf(pages.get(file) ?? '', addressOfFile(file));
        queue.push(...linked.filter((link) => isFollowed(exportedPath(pageAddressOf(link)))));
      }
      return files;
    },
    writePages: (service: string | null): void => {
      for (const [file, html] of pages)
        write(
          file,
          rewriteLinks(html, file, (path) => found.get(path) ?? null, service),
        );
    },
    counts: () => ({ files: [...found.values()].filter((file) => file !== null).length, written }),
  };
};

/** Returns all parts of a page. */
const partsOf = async ({ page, read, now }: PageExportRequest): Promise<Part[]> => {
  const [all, incidents] = await Promise.all([listComponents({ read }, page), incidentEntries({ read }, page)]);
  const { dayOf } = calendarOf(page.time_zone);
  const month = (instant: string): string => dayOf(instant).slice(0, 7);
  const today = instantOf(now);
  const first = incidents.at(-1)?.created_at ?? today;
  const surroundings = hash('sha256', JSON.stringify([page, all]));
  const versionOf = ({ resolved_at, changed_position, updated_at }: IncidentEntry): string | null =>
    resolved_at === null ? null : `${changed_position} ${updated_at} ${surroundings}`;
  return [
    {
      name: 'page',
      version: null,
      addresses: [...PAGE_ADDRESSES, ...monthAddresses(month(first), month(today), MAX_MONTHS)],
    },
    ...visibleComponents(all).map(({ id, group }) => ({
      name: id,
      version: null,
      addresses: group ? groupAddresses(id) : componentAddresses(id),
    })),
    ...incidents.map((incident, index) => ({
      name: incident.id,
      version: versionOf(incident),
      addresses: incidentAddresses(incident.id, incident.kind === 'maintenance', index < MAX_CARDS),
    })),
  ];
};
