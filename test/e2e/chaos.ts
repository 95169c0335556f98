import * as assert from 'uvu/assert';
import type { Random } from '../contracts/random.ts';
import { callApi, serve, uptrail, type RunningProgram } from './program.ts';
import { realPause } from '../waiting.ts';

/** A write that was sent, with the service's response if one arrived. */
interface Sent {
  key: string;
  name: string;
  /** id of the incident; null until the write is acknowledged */
  id: string | null;
  resolving: 'not sent' | 'sent' | 'acknowledged';
}

interface Incident {
  id: string;
  name: string;
  status: string;
  incident_updates: { body: string }[];
}

export interface Tally {
  kills: number;
  acknowledged: number;
  unanswered: number;
}

const WRITERS = 6;

/**
 * Repeatedly kills the program with `kill -9` in the middle of writes. After each kill, repeats the writes that got no
 * response, with the same `Idempotency-Key`, and checks that every write is stored exactly once. At the end, compares
 * every read model with its rebuild.
 *
 * @param random chooses the moments of the kills
 */
export const chaos = async (
  environment: Record<string, string>,
  kills: number,
  random: Random,
  say: (line: string) => void = () => undefined,
): Promise<Tally> => {
  const key = 'chaos-admin-key-000000';
  const start = (): Promise<RunningProgram> => serve({ ...environment, ADMIN_API_KEY: key });
  let program = await start();

  const create = async (path: string, body: object): Promise<string> => {
    const answer = await callApi(program, key, 'POST', path, body);
    return (answer.body as { id: string }).id;
  };
  const page = await create('/v1/pages', { name: 'Chaos' });
  const component = await create(`/v1/pages/${page}/components`, { name: 'API' });
  const incidents = `/v1/pages/${page}/incidents`;

  const sent: Sent[] = [];
  const open = async (write: Sent): Promise<void> => {
    const response = await fetch(program.address + incidents, {
      method: 'POST',
      headers: { authorization: key, 'content-type': 'application/json', 'idempotency-key': write.key },
      body: JSON.stringify({
        name: write.name,
        status: 'investigating',
        body: 'Opened.',
        components: { [component]: 'partial_outage' },
      }),
    });
    const answer = (await response.json()) as { id: string };
    assert.ok([201, 202].includes(response.status), `${write.name}: ${response.status} ${JSON.stringify(answer)}`);
    write.id = answer.id;
  };
  const resolve = async (write: Sent): Promise<void> => {
    write.resolving = 'sent';
    const path = `${incidents}/${write.id ?? ''}`;
    const { status, body } = await callApi(program, key, 'PATCH', path, { status: 'resolved', body: 'Resolved.' });
    assert.ok([200, 202].includes(status), `${write.name}: ${status} ${JSON.stringify(body)}`);
    write.resolving = 'acknowledged';
  };

  /** Writes until the program is killed. Any error other than a lost connection fails the test. */
  const write = async (dying: AbortSignal): Promise<void> => {
    for (;;) {
      const number = sent.length;
      const next: Sent = { key: `chaos-${number}`, name: `Incident ${number}`, id: null, resolving: 'not sent' };
      sent.push(next);
      try {
        await open(next);
        await resolve(next);
      } catch (error) {
        if (!(error instanceof TypeError || error instanceof SyntaxError) || !dying.aborted) throw error;
        return;
      }
    }
  };

  const repeatLost = async (): Promise<number> => {
    const lost = sent.filter(({ id }) => id === null);
    for (const write of lost) await open(write);
    return lost.length;
  };

  const look = async (): Promise<void> => {
    const { body } = await callApi(program, key, 'GET', incidents);
    const stored = body as Incident[];
    const byId = new Map(stored.map((incident) => [incident.id, incident]));
    assert.is(byId.size, stored.length, 'no incident is listed twice');
    assert.is(new Set(stored.map(({ name }) => name)).size, stored.length, 'no incident was opened twice');
    assert.is(stored.length, sent.length, 'every incident is there');
    for (const { id, name, resolving } of sent) {
      const incident = byId.get(id ?? '');
      assert.is(incident?.name, name);
      const updates = incident?.incident_updates.map((update) => update.body) ?? [];
      if (resolving === 'acknowledged') {
        assert.is(incident?.status, 'resolved', `${name} stays resolved`);
        assert.equal(updates, ['Resolved.', 'Opened.']);
      } else if (resolving === 'not sent') assert.equal(updates, ['Opened.']);
      else assert.ok(updates.length <= 2, `${name} was resolved once at most`);
    }
  };

  let unanswered = 0;
  for (let kill = 1; kill <= kills; kill++) {
    const dying = new AbortController();
    const writers = Array.from({ length: WRITERS }, () => write(dying.signal));
    const failed = Promise.all(writers);
    await Promise.race([failed, realPause(100 + random.below(900), 'the program is killed at any moment')]);
    dying.abort();
    await program.end('SIGKILL');
    await failed;
    program = await start();
    unanswered += await repeatLost();
    await look();
    say(`kill ${kill}: ${sent.length} incidents, each stored once`);
  }

  assert.is((await program.end('SIGTERM')).code, 0);
  const verified = await uptrail(environment, 'rebuild', '--all', '--verify');
  assert.is(verified.code, 0, verified.stdout + verified.stderr);
  return { kills, acknowledged: sent.length, unanswered };
};
