import { mayOf } from '../../api/permissions.ts';
import { v1Routes } from '../../api/v1/index.ts';
import type { Commands } from '../../commands/index.ts';
import { commandContext } from '../../commands/context.ts';
import { defaultRegionOf, REGIONS } from '../../domain/check/regions.ts';
import type { Served } from '../../domain/check/unserved.ts';
import { NotFound } from '../../domain/errors.ts';
import type { RecordedEvent } from '../../domain/event.ts';
import { unescaped } from '../../domain/sealed.ts';
import { organizations } from '../../projections/organizations/projection.ts';
import type { Read } from '../../projections/readers.ts';
import type { Keys } from '../../stores/keys/port.ts';
import { shownApiKey } from '../api-keys/api-keys.ts';
import { COMMAND_LINE } from '../../service/command-line.ts';
import type { Instant } from '../../domain/time.ts';

/** A resource as it was: its id, its own events until then, and what can be read of that time. */
export interface Past {
  id: string;
  own: readonly RecordedEvent[];
  read: Read;
  keys: Keys;
  at: Instant;
}

/** A kind of resource whose history can be shown. */
export interface Kind {
  /** the streams that tell about the resource besides its own, `{category}-{id}` */
  context: (own: readonly RecordedEvent[]) => string[];
  /** the resource as a reader saw it; null when it was not there */
  show: (past: Past) => Promise<unknown>;
}

/** Kinds by name, which is also the category of their streams. */
export const KINDS: Readonly<Record<string, Kind>> = {
  page: {
    context: () => [],
    // The score counts updates of incidents, whose streams are not those of the page.
    show: async (past) => without('activity_score', await answerOf('/v1/pages/{page_id}', { page_id: past.id }, past)),
  },
  incident: {
    context: (own) => [`page-${pageOf(own)}`],
    show: (past) =>
      answerOf(
        '/v1/pages/{page_id}/incidents/{incident_id}',
        { page_id: pageOf(past.own), incident_id: past.id },
        past,
      ),
  },
  check: {
    context: () => [],
    // Results, and what they cost, are in the other log, which keeps them for some months only.
    show: async (past) => {
      const check = await answerOf('/v1/checks/{check_id}', { check_id: past.id }, past);
      return without('suspended_reason', without('last_checked_at', check));
    },
  },
  job: {
    context: () => [],
    show: (past) => answerOf('/v1/checks/jobs/{job_id}', { job_id: past.id }, past),
  },
  organization: {
    context: () => [],
    show: async ({ id, read }) => {
      const organization = await read(organizations).organizations.get(id);
      if (!organization) return null;
      const keys = await read(organizations).api_keys.find({ where: { organization_id: id }, sort: { created_at: 1 } });
      return { ...organization, api_keys: keys.map(shownApiKey) };
    },
  },
};

/** What was shown but for one field that does not follow from the streams at hand. */
const without = (field: string, shown: unknown): unknown =>
  shown && Object.fromEntries(Object.entries(shown).filter(([name]) => name !== field));

/** Id of the page that an incident's events name. */
const pageOf = (own: readonly RecordedEvent[]): string => {
  const data = own[0]?.data as { page_id?: string } | undefined;
  return data?.page_id ?? '';
};

/** All that a GET route asks of commands: which runners there are, who stand in no log. What follows is left out. */
const NOBODY = {
  checks: { served: async (): Promise<Served> => ({ defaultRegion: defaultRegionOf(REGIONS), abilities: new Map() }) },
} as unknown as Commands;

/** What a GET route would have answered to a viewer of the resource's organization; null instead of 404. */
const answerOf = async (path: string, params: Record<string, string>, past: Past): Promise<unknown> => {
  const route = v1Routes.find((candidate) => candidate.path === path && candidate.methods.includes('get'));
  if (!route) throw new Error(`There is no route GET ${path}.`);
  const { own, read, keys, at } = past;
  const context = commandContext({
    actor: { kind: 'system', id: COMMAND_LINE, role: null },
    organizationId: own[0]?.metadata.organization_id ?? '',
    correlationId: 'history',
    commandId: 'history',
    repeatable: false,
    now: at,
  });
  // Its resources are those of the log `main`, which holds no results.
  const resultsFrom = () => at;
  const { organizationId } = context;
  const call = {
    params,
    query: {},
    context,
    scope: { read, organizationId, now: at, resultsFrom, keys },
    read,
    resultsFrom,
    keys,
    may: mayOf('viewer'),
    clientAddress: null,
  } as const;
  try {
    const found = route.find && (await route.find(call));
    const whole = { ...call, body: {}, commands: NOBODY, found };
    const answer = await route.handle(whole);
    return unescaped(await answer.body?.());
  } catch (error) {
    if (error instanceof NotFound) return null;
    throw error;
  }
};
