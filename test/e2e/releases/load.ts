import { randomUUID } from 'node:crypto';
import { inspect } from 'node:util';
import { callApiExpecting } from '../program.ts';
import { realPause } from '../../waiting.ts';
import { releaseOf, shownBy, type Release } from './next-release.ts';

export interface LoadOptions {
  address: string;
  key: string;
  /** path of the page whose incidents are written and read */
  page: string;
  /** id of a component of the page */
  component: string;
  clients: number;
}

export interface LoadReport {
  /** sentences about requests that failed or got a wrong response */
  failures: string[];
  /** number of correct responses of each release */
  correct: Record<Release, number>;
  /** the names of all incidents that were opened, by id */
  opened: Map<string, string>;
  /** the longest time of a request, in milliseconds */
  longest: number;
}

export interface Load {
  /** the report up to now */
  report: LoadReport;
  /** Ends the load after the requests in progress. */
  stop: () => Promise<LoadReport>;
}

interface Shown {
  id: string;
  name: string;
}

/**
 * Starts clients that open incidents one after another. Each response must contain what the client has written, in the
 * form of the release that responds. After each write, the client reads the incident and the list.
 */
export const startLoad = ({ address, key, page, component, clients }: LoadOptions): Load => {
  const report: LoadReport = { failures: [], correct: { this: 0, next: 0 }, opened: new Map(), longest: 0 };
  let ended = false;

  const send = async (method: string, path: string, status: number, body?: object) => {
    const began = performance.now();
    const response = await fetch(address + path, {
      method,
      headers: {
        authorization: key,
        ...(body && { 'content-type': 'application/json', 'idempotency-key': randomUUID() }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    report.longest = Math.max(report.longest, performance.now() - began);
    if (response.status !== status) throw new Error(`${response.status} ${text}`);
    return { release: releaseOf(response.headers), body: JSON.parse(text) as unknown };
  };

  /** Sends a request and checks the name that the response shows for an incident. */
  const expect = async (
    name: string,
    request: Parameters<typeof send>,
    shownIn: (body: unknown) => Shown | undefined,
  ): Promise<Shown | null> => {
    const [method, path] = request;
    try {
      const { release, body } = await send(...request);
      const shown = shownIn(body);
      if (shown?.name === shownBy(release, name)) report.correct[release]++;
      else
        report.failures.push(`${method} ${path} of the release "${release}": ${JSON.stringify(shown)} for "${name}"`);
      return shown ?? null;
    } catch (error) {
      report.failures.push(`${method} ${path}: ${inspect(error)}`);
      return null;
    }
  };

  const run = async (client: number): Promise<void> => {
    for (let number = 1; !ended; number++) {
      const name = `incident ${number} of client ${client}`;
      const input = {
        name,
        body: 'It fails.',
        status: 'investigating',
        components: { [component]: 'degraded_performance' },
      };
      const opened = await expect(name, ['POST', `${page}/incidents`, 201, input], (body) => body as Shown);
      if (opened) {
        report.opened.set(opened.id, name);
        await expect(name, ['GET', `${page}/incidents/${opened.id}`, 200], (body) => body as Shown);
        await expect(name, ['GET', `${page}/incidents?page_size=50`, 200], (body) =>
          (body as { incidents: Shown[] }).incidents.find(({ id }) => id === opened.id),
        );
      }
      await realPause(10, 'clients of a service do not send requests without any pause');
    }
  };

  const running = Array.from({ length: clients }, (_, index) => run(index + 1));
  return {
    report,
    stop: async () => {
      ended = true;
      await Promise.all(running);
      return report;
    },
  };
};

/** Reads all incidents that a load has opened. Returns sentences about those that are missing or wrong. */
export const findLost = async (
  { address, key, page }: Pick<LoadOptions, 'address' | 'key' | 'page'>,
  opened: ReadonlyMap<string, string>,
): Promise<string[]> => {
  const lost: string[] = [];
  for (const [id, name] of opened) {
    const response = await fetch(`${address}${page}/incidents/${id}`, { headers: { authorization: key } });
    const text = await response.text();
    const isRight = response.ok && (JSON.parse(text) as Shown).name === shownBy(releaseOf(response.headers), name);
    if (!isRight) lost.push(`${id} (${name}): ${response.status} ${text}`);
  }
  return lost;
};

/** Creates a page with a component for a load. */
export const makeTarget = async (
  { address }: Pick<LoadOptions, 'address'>,
  key: string,
): Promise<Omit<LoadOptions, 'clients'>> => {
  const made = await callApiExpecting<{ id: string }>({ address }, key, 200, 'POST', '/v1/pages', { name: 'Shop' });
  const page = `/v1/pages/${made.id}`;
  const { id } = await callApiExpecting<{ id: string }>({ address }, key, 201, 'POST', `${page}/components`, {
    name: 'Checkout',
  });
  return { address, key, page, component: id };
};
