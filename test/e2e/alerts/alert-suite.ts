import { join } from 'node:path';
import { suite } from 'uvu';
import { lacking } from '../../notifiers/email/mailbox.ts';
import { closeServers } from '../../probes/web/servers.ts';
import { freePort } from '../../servers/ports.ts';
import { inTemporaryFolder } from '../../service/temporary.ts';
import { endPrograms } from '../program.ts';
import { KEY, openReceivers, type Receivers } from './alert-fixture.ts';

/**
 * Creates a suite about alert notifications. Each test gets the receivers, and the environment of a program that
 * notifies them. After a test, everything that it started is stopped. Without a mail server all tests are skipped.
 */
export const alertSuite = (name: string) => {
  const test = suite(name);
  let receivers: Receivers | null = null;
  test.after.each(async () => {
    await endPrograms();
    await closeServers();
    await receivers?.close();
    receivers = null;
  });

  const missing = lacking();
  if (missing !== null) console.log(`skipped: ${missing}`);

  const specify = (
    sentence: string,
    story: (current: Receivers, environment: Record<string, string>) => Promise<void>,
  ): void => {
    if (missing !== null) return;
    test(
      sentence,
      inTemporaryFolder(async (folder) => {
        const current = (receivers = await openReceivers());
        const PORT = (await freePort()).toString();
        const PUBLIC_URL = `http://127.0.0.1:${PORT}`;
        const place = { DATA_DIR: join(folder, 'data'), ADMIN_API_KEY: KEY, PORT, PUBLIC_URL };
        await story(current, { ...place, ...current.environment });
      }),
    );
  };
  return {
    specify,
    run: (): void => {
      test.run();
    },
  };
};
