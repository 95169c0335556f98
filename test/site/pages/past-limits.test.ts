import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { NotFound } from '../../../domain/errors.ts';
import type { RecordedEvent } from '../../../domain/event.ts';
import { HttpError } from '../../../http/errors.ts';
import { addressLimitKey } from '../../../http/routes/caller.ts';
import { createVisitorLimits } from '../../../site/visitor-limits.ts';
import { visitAt } from '../../../site/pages/past/past-visit.ts';
import type { PageVisit } from '../../../site/pages/visit.ts';

const test = suite('limits of past states for visitors');

type PastCall = Parameters<typeof visitAt>[2];

const ADDRESS = '192.0.2.7';
const AT = '2026-11-20T15:00:00Z';
const VISIT = {
  page: { id: 'page00000001', organization_id: 'org000000001', allow_history: true },
  scope: { now: '2026-11-21T15:00:00.000000' },
} as unknown as PageVisit;

/** A page with this number of events, whose events are only returned after `answer` was called. */
const pageWith = (events: number) => {
  let answer = (): void => undefined;
  const answered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const counts = { reading: 0, folding: 0 };
  const read: string[][] = [];
  const all = Array.from({ length: events }, () => ({}) as RecordedEvent);
  const state = {
    events: async (categories: string[]) => {
      counts.reading += 1;
      read.push(categories);
      await answered;
      return all;
    },
    read: () => {
      counts.folding += 1;
      return { pages: { get: async () => null } };
    },
  };
  const past = { at: () => state };
  const limits = createVisitorLimits(() => 0);
  const call = { past, limits, clientAddress: ADDRESS } as unknown as PastCall;
  /** Returns 404 for a request that folded the page, which has no such state here. */
  const visit = async (): Promise<number> =>
    visitAt(VISIT, AT, call).then(
      () => 200,
      (error: unknown) => {
        if (error instanceof NotFound) return 404;
        if (error instanceof HttpError) return error.status;
        throw error;
      },
    );
  return { visit, counts, read, answer, limits };
};

test('of many concurrent requests for past states of a large page, only as many as the limit allows fold its events', async () => {
  const { visit, counts, answer } = pageWith(80_000);
  const requests = Array.from({ length: 1_000 }, visit);
  assert.is(counts.reading, 300, 'each request counts before its work begins');
  answer();
  const statuses = await Promise.all(requests);
  assert.is(counts.folding, 2);
  assert.equal([...new Set(statuses)], [404, 429]);
});

test('a few concurrent requests for past states of a large page stop when they have used up the limit', async () => {
  const { visit, counts, answer } = pageWith(80_000);
  const requests = Array.from({ length: 10 }, visit);
  answer();
  const statuses = await Promise.all(requests);
  assert.is(counts.folding, 2);
  assert.equal(
    statuses.filter((status) => status === 404).length,
    2,
    'the others are refused after the events were read',
  );
});

test('a visitor who has waited as long as required is not refused because of the events of the same request', async () => {
  const { visit, answer, limits } = pageWith(10);
  answer();
  limits.past.spend(addressLimitKey(ADDRESS), 59_999);
  assert.is(await visit(), 404);
  assert.is(await visit(), 429);
});

test('the events of the checks of a page count towards the limit like those of the page', async () => {
  const { visit, read, answer } = pageWith(10);
  answer();
  await visit();
  assert.equal(read, [['page', 'incident', 'check']]);
});

test.run();
