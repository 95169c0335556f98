import { readRetention } from '../projections/engine/fold/retention.ts';
import { CLIENT_RETENTION_CONFIRMED, RETENTION_CONFIRMED } from '../stores/coordination/port.ts';
import type { Config } from '../service/config/config.ts';
import type { Output } from '../service/output.ts';
import { clientRetentionSentence, readClientRetention } from '../service/logs/client-retention.ts';
import { heldBackMessage } from '../service/logs/retention.ts';
import { openCoordination, siteOf } from '../service/stores.ts';

const NOTHING = 'Retention is not held back: nothing to confirm.';

/**
 * `uptrail retention`: shows the date from which results and client addresses are stored. Also reports whether
 * retention is suspended. Retention is suspended if, according to the clock, it would remove too much at once.
 */
export const showRetention = async (config: Config, output: Output): Promise<void> => {
  const coordination = await openCoordination(siteOf(config));
  try {
    const known = await readRetention(coordination);
    const sentence = known && (heldBackMessage(known) ?? `Results since ${known.from.slice(0, 10)} are stored.`);
    await output.line(sentence ?? 'Nothing has been removed yet: retention has not run.');
    const ofClients = await readClientRetention(coordination);
    if (ofClients) await output.line(clientRetentionSentence(ofClients));
  } finally {
    await coordination.close();
  }
};

/** `uptrail retention confirm`: allows retention to follow the clock. The service applies this within a minute. */
export const confirmRetention = async (config: Config, output: Output): Promise<void> => {
  const coordination = await openCoordination(siteOf(config));
  try {
    const wanted = (await readRetention(coordination))?.wanted ?? null;
    if (wanted !== null) await coordination.write(RETENTION_CONFIRMED, wanted);
    const ofClients = (await readClientRetention(coordination))?.wanted ?? null;
    if (ofClients !== null) {
      await coordination.write(CLIENT_RETENTION_CONFIRMED, ofClients);
      await output.line(
        `Client addresses and user agents before ${ofClients.slice(0, 7)} will be permanently deleted within a minute.`,
      );
      if (wanted === null) return;
    }
    await output.line(
      wanted === null ? NOTHING : `Results before ${wanted.slice(0, 10)} will be permanently deleted within a minute.`,
    );
  } finally {
    await coordination.close();
  }
};
