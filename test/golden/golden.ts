import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { eventTypes } from '../../domain/event-types.ts';
import { streamOf } from '../../domain/decider.ts';
import type { NewEvent } from '../../domain/event.ts';
import { derivedUuid } from '../../domain/identity.ts';
import { entriesOf, nameOf, sorted, textOf, type CatalogueEntry } from './catalogue-text.ts';
import { sampleOf } from './sample.ts';
import { inProject } from '../project.ts';

export const CATALOGUE_FILE = inProject('domain/catalogue.json');
const RELEASED_FILE = inProject('test/golden/released.json');
const EVENTS = inProject('test/golden/events');

/** An event as it was appended by a release. */
export interface GoldenEvent extends NewEvent {
  stream: string;
}

/** Returns the expected text of `domain/catalogue.json`. */
export const catalogueText = (): string => textOf(entriesOf(eventTypes));

/** Returns all released versions of events. */
export const released = (): CatalogueEntry[] =>
  existsSync(RELEASED_FILE) ? (JSON.parse(readFileSync(RELEASED_FILE, 'utf8')) as CatalogueEntry[]) : [];

/** Returns one event of every type and version that was released or is current, by `Type@version`. */
export const goldenEvents = (): Map<string, GoldenEvent> => goldenEventsIn(EVENTS);

/** Returns the golden events in a folder, by `Type@version`. */
export const goldenEventsIn = (folder: string): Map<string, GoldenEvent> =>
  new Map(
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.json'))
      .sort()
      .map((file) => [
        file.replace(/^.*\//, '').replace(/\.json$/, ''),
        JSON.parse(readFileSync(join(folder, file), 'utf8')) as GoldenEvent,
      ]),
  );

const sampleEvent = ({ category, type, version, schema }: CatalogueEntry): GoldenEvent => ({
  stream: streamOf(category, 'a1b2c3d4e5f6'),
  id: derivedUuid(nameOf({ type, version })),
  type,
  data: sampleOf(schema) as object,
  metadata: {
    $correlationId: '0b9d6a3e-51a4-4a0f-8f7a-3f0f6f0d7c11',
    $causationId: '1c8e7b4f-62b5-4b1a-9a8b-4a1a7a1e8d22',
    command_id: '1c8e7b4f-62b5-4b1a-9a8b-4a1a7a1e8d22',
    actor: { kind: 'api_key', id: 'k1k2k3k4k5k6', role: 'editor' },
    organization_id: category === 'log' ? null : 'o1o2o3o4o5o6',
    recorded_at: '2026-11-20T15:04:05.123000',
    schema_version: version,
    client_address: { key: 'api_key-k1k2k3k4k5k6', sealed: 'c2VhbGVk' },
    user_agent: { key: 'api_key-k1k2k3k4k5k6', sealed: 'c2VhbGVk' },
  },
});

/**
 * Writes `domain/catalogue.json`, and one golden event of every current type. Golden events of released versions are
 * never changed. Golden events of versions that are neither current nor released are removed.
 *
 * @param release whether the current versions are also marked as released, after which they must never change
 */
export const generateCatalogue = ({ release = false } = {}): void => {
  const current = entriesOf(eventTypes);
  const releasedEntries = released();
  const fixed = new Set(releasedEntries.map(nameOf));
  for (const category of readdirSync(EVENTS)) {
    for (const file of readdirSync(join(EVENTS, category))) {
      if (!fixed.has(file.replace(/\.json$/, ''))) rmSync(join(EVENTS, category, file));
    }
  }
  const added = current.filter((entry) => !fixed.has(nameOf(entry)));
  for (const entry of added) {
    const file = join(EVENTS, entry.category, `${nameOf(entry)}.json`);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `${JSON.stringify(sampleEvent(entry), null, 2)}\n`);
  }
  writeFileSync(CATALOGUE_FILE, catalogueText());
  if (release) writeFileSync(RELEASED_FILE, textOf(sorted([...releasedEntries, ...added])));
};
