import { setTimeout as sleep } from 'node:timers/promises';
import pino from 'pino';
import type { Commands } from '../../commands/index.ts';
import { SELF_HOSTED } from '../../domain/organization/plans.ts';
import { readRetention } from '../../projections/engine/fold/retention.ts';
import { liveGeneration } from '../../projections/engine/generations/generations.ts';
import type { Readers } from '../../projections/engine/readers.ts';
import { createStatuses } from '../../projections/engine/status/statuses.ts';
import { components } from '../../projections/components/projection.ts';
import { incidentEdits } from '../../projections/incident-edits/projection.ts';
import { incidents } from '../../projections/incidents/projection.ts';
import { projections } from '../../projections/index.ts';
import { pages } from '../../projections/pages/projection.ts';
import type { Read } from '../../projections/readers.ts';
import { docsSource } from '../../service/http/docs-source.ts';
import { sentModesOf } from '../../service/notifiers.ts';
import type { Config } from '../../service/config/config.ts';
import { OperatorError } from '../../service/operator-error.ts';
import type { Output } from '../../service/output.ts';
import { openCoordination, openKeys, openReadModels, siteOf } from '../../service/stores.ts';
import { createCardDrawing, type DrawCard } from '../../service/threads/card-drawing.ts';
import type { SiteDependencies } from '../../site/endpoints.ts';
import type { Keys } from '../../stores/keys/port.ts';
import { openConfiguredReadModels } from '../read-models.ts';
import { createPageExport, PageNotExportable, pageToExport, type ExportedPage } from './export.ts';
import { openExportFolder, type ExportFolder } from './folder.ts';
import { unrestrictedRead } from './unrestricted-read.ts';
import { openLocalSite } from './local-site.ts';

export interface ExportOptions {
  subdomain: string;
  folder: string;
  /** whether to export again after each change, until `signal` is aborted */
  watch: boolean;
  includePrivate: boolean;
  signal: AbortSignal;
}

/** The stores and settings that an export reads from. */
export interface ExportSources {
  read: Read;
  keys: Keys;
  config: Pick<Config, 'publicUrl' | 'publicDomain' | 'plans'>;
  /** the kinds of subscriptions to which the service can send messages */
  sentModes: NonNullable<SiteDependencies['sentModes']>;
  resultsFrom: SiteDependencies['resultsFrom'];
  /** milliseconds since 1970 */
  clock: () => number;
  /**
   * returns the position of the pages' read models; as long as the position does not change, the pages do not change
   * either
   */
  position: () => Promise<string>;
}

/** `uptrail pages export`: exports a page of the configured deployment. @throws OperatorError */
export const runExportPage = async (config: Config, options: ExportOptions, output: Output): Promise<void> => {
  const site = siteOf(config);
  const models = await openConfiguredReadModels(config);
  const readStore = await openReadModels(site, 'reader');
  const coordination = await openCoordination(site);
  const keys = await openKeys(site, config);
  try {
    const retention = await readRetention(coordination);
    const sources: ExportSources = {
      read: models.read,
      keys,
      config,
      sentModes: sentModesOf(config),
      resultsFrom: () => retention?.from ?? BEGINNING,
      clock: Date.now,
      position: async () => {
        const found = await Promise.all(FOLLOWED.map((projection) => liveGeneration(coordination, projection)));
        const live = found.filter((generation) => generation !== null);
        const checkpoints = await readStore.checkpoints(live);
        return JSON.stringify([live, checkpoints], (_, value: unknown) =>
          typeof value === 'bigint' ? value.toString() : value,
        );
      },
    };
    await exportPage(sources, options, output);
  } finally {
    await Promise.all([models, readStore, coordination, keys].map((store) => store.close()));
  }
};

/** An instant before all results. It is used if retention has never run, so that all results are shown. */
const BEGINNING = '1970-01-01T00:00:00.000000';

/** The read models that determine what a page shows. */
const FOLLOWED = [pages, components, incidents, incidentEdits];

/** Interval between two checks for changes, in milliseconds. */
const POLL_MS = 1_000;
/**
 * Interval between two exports without an event in between, in milliseconds. Exports are repeated, because uptimes and
 * response times change even without events, and new days begin.
 */
const REFRESH_MS = 300_000;

export const exportPage = async (
  { read: stored, keys, config, sentModes, resultsFrom, clock, position }: ExportSources,
  { subdomain, folder, watch, includePrivate, signal }: ExportOptions,
  output: Output,
): Promise<void> => {
  // The operator can export private pages too, so access restrictions are removed.
  const read = unrestrictedRead(stored);
  const { publicUrl, publicDomain } = config;
  const places = { publicUrl, publicDomain };
  const { draw } = createCardDrawing();
  const make = createPageExport();
  let opened: ExportFolder | null = null;

  const exportOnce = async (): Promise<ExportedPage> => {
    const page = await pageToExport(stored, subdomain, includePrivate);
    opened ??= openExportFolder(folder, { pageId: page.id, isPrivate: includePrivate });
    // Create a new site for each export, so that it has no cached pages.
    const fetch = openLocalSite(surfaceOf({ read, keys, config, sentModes, resultsFrom, clock }, draw));
    return make({ page, read, fetch, places, folder: opened, now: clock() });
  };

  let last = { position: '', at: -Infinity, trouble: '' };
  do {
    const at = performance.now();
    try {
      const now = await position();
      if (now === last.position && at - last.at < REFRESH_MS) continue;
      const { files, written, removed } = await exportOnce();
      if (last.position === '' || written + removed > 0) {
        const changes = `${written} written, ${removed} removed`;
        await output.line(`${files} files in ${folder}: ${changes}.`);
      }
      last = { position: now, at, trouble: '' };
    } catch (error) {
      // While watching, a failure may be temporary, such as a read model that is being rebuilt.
      if (!watch || last.position === '' || error instanceof PageNotExportable) throw error;
      const trouble = error instanceof Error ? error.message : String(error);
      if (trouble !== last.trouble) await output.line(trouble);
      last.trouble = trouble;
    }
  } while (watch && (await pause(signal)));
};

/** @returns whether to continue */
const pause = async (signal: AbortSignal): Promise<boolean> => {
  await sleep(POLL_MS, undefined, { signal }).catch(() => undefined);
  return !signal.aborted;
};

const refused = (): never => {
  throw new OperatorError('An export is read-only.');
};

/** Returns the dependencies of a site in this process, without access checks and read-only. */
const surfaceOf = (
  { read, keys, config, sentModes, resultsFrom, clock }: Omit<ExportSources, 'position'>,
  draw: DrawCard,
): SiteDependencies => {
  const { publicUrl, publicDomain, plans } = config;
  const commands: Commands = { bind: refused };
  const readers: Readers = {
    for: () => read,
    asFolded: read,
    sure: read,
    foldedAll: async () => undefined,
    waitFor: async () => undefined,
    positions: () => '',
  };
  return {
    commands,
    readers,
    keys,
    plans: plans ?? SELF_HOSTED,
    resultsFrom,
    statuses: createStatuses(projections),
    docs: docsSource,
    sentModes,
    places: { publicUrl, publicDomain },
    cardPicture: async (_, card) => ({ png: await draw(card), isCurrent: true }),
    // Links to past states are not exported, so past states are never requested.
    past: { at: refused, stream: async () => refused(), events: async () => refused(), page: async () => refused() },
    applyRevocations: async () => undefined,
    identify: async () => refused(),
    rateLimit: () => undefined,
    claims: { claim: refused, storeResponse: refused, abandon: refused },
    clock,
    logger: pino({ level: 'silent' }),
  };
};
