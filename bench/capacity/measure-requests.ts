import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import Database from '../../stores/sqlite/driver.ts';
import { smtpServer } from '../../test/notifiers/email/smtp-server.ts';
import { callApi, fillPages } from '../http/http.ts';
import { startProgram, type Program } from '../tools/program.ts';
import { sizeOf } from '../tools/sizes.ts';
import { usageBelow } from '../weight/processes.ts';
import { round } from './flows.ts';

const POSTS = sizeOf('CAPACITY_POSTS', 100);
const GETS = sizeOf('CAPACITY_GETS', 1_000);
const SUBSCRIBERS = sizeOf('CAPACITY_SUBSCRIBERS', 500);
const IDLE_MS = 5_000;
/** Pause after a request, during which its effects end. */
const REST_MS = 100;
const LOOK_MS = 100;
const AT_ONCE = 16;

export interface RequestCosts {
  post: number;
  get: number;
  list: number;
  mail: number;
  incident: { log: number; models: number };
}

/** Returns the total size of all pages of SQLite databases in bytes, including pages in WAL files. */
const pagesOf = (files: readonly string[]): number =>
  files.reduce((sum, file) => {
    const database = new Database(file, { readonly: true, fileMustExist: true });
    try {
      const read = (pragma: string): number =>
        (database.prepare(`PRAGMA ${pragma}`).raw().all() as [number][])[0]?.[0] ?? 0;
      return sum + (read('page_count') - read('freelist_count')) * read('page_size');
    } finally {
      database.close();
    }
  }, 0);

const databasesIn = (folder: string): string[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.db'))
    .map((name) => join(folder, name));

const sizesOf = (folder: string) => ({
  log: pagesOf([join(folder, 'events.db')]),
  models: pagesOf(databasesIn(join(folder, 'read-models'))),
});

/**
 * Returns the CPU time of a task in milliseconds, minus the CPU time that an idle service uses during the same time.
 */
const spentOn = async (program: Program, task: () => Promise<void>): Promise<number> => {
  const [begun, before] = [performance.now(), usageBelow(program.pid).cpu];
  await sleep(IDLE_MS);
  const idle = (usageBelow(program.pid).cpu - before) / (performance.now() - begun);
  const [started, used] = [performance.now(), usageBelow(program.pid).cpu];
  await task();
  return Math.max(0, usageBelow(program.pid).cpu - used - idle * (performance.now() - started));
};

const repeatedly = async (times: number, atOnce: number, task: (index: number) => Promise<unknown>): Promise<void> => {
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < times) await task(next++);
  };
  await Promise.all(Array.from({ length: atOnce }, work));
};

/** Returns the CPU time for an e-mail about an incident to one subscriber of a page, in milliseconds. */
const costOfMail = async (
  program: Program,
  mails: () => number,
  post: { path: string; body: object },
  costOfPost: number,
): Promise<number> => {
  const path = post.path.replace('/incidents', '/subscribers');
  await repeatedly(SUBSCRIBERS, AT_ONCE, (index) =>
    callApi(program, {
      path,
      body: { mode: 'email', email: `s${index}@example.com`, skip_confirmation_notification: true },
    }),
  );
  const before = mails();
  const spent = await spentOn(program, async () => {
    await callApi(program, post);
    while (mails() < before + SUBSCRIBERS) await sleep(LOOK_MS);
  });
  return (spent - costOfPost) / SUBSCRIBERS;
};

/** Measures the cost of requests to an embedded service, and of the e-mails that the requests cause. */
export const measureRequests = async (): Promise<RequestCosts> => {
  const relay = await smtpServer();
  const folder = mkdtempSync(join(tmpdir(), 'uptrail-bench-'));
  const program = await startProgram({
    LOG_LEVEL: 'warn',
    DATA_DIR: folder,
    SMTP_URL: relay.url,
    MAIL_FROM: 'Status <status@example.org>',
    PUBLIC_URL: 'https://status.example.org',
    DELIVERIES_PER_SECOND: '1000',
  });
  try {
    const { incident, list, asked } = await fillPages(program);
    const get = async (path: string): Promise<number> => {
      const read = (): Promise<void> => repeatedly(GETS, 1, () => callApi(program, { path }));
      await read();
      return (await spentOn(program, read)) / GETS;
    };
    const write = (): Promise<void> =>
      repeatedly(POSTS, 1, async () => {
        await callApi(program, asked);
        await sleep(REST_MS);
      });
    await write();
    const before = sizesOf(folder);
    const post = (await spentOn(program, write)) / POSTS;
    const after = sizesOf(folder);
    const costs = { get: await get(incident), list: await get(list) };
    const mail = await costOfMail(program, () => relay.messages.length, asked, post);
    return {
      post: round(post),
      get: round(costs.get),
      list: round(costs.list),
      mail: round(mail),
      incident: {
        log: Math.round((after.log - before.log) / POSTS),
        models: Math.round((after.models - before.models) / POSTS),
      },
    };
  } finally {
    await program.stop();
    await relay.close();
    rmSync(folder, { recursive: true, force: true });
  }
};
