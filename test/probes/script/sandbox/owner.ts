import { ownMark } from '../../../../probes/script/sandbox/processes.ts';
import { answerOf, begin, openTestSandboxes, returned } from './open-sandboxes.ts';
import { eventually } from '../../../waiting.ts';

/** A process that opens busy sandboxes, prints the value of UPTRAIL_SANDBOX that marks them, and is then killed. */
const sandboxes = await openTestSandboxes({
  kinds: { multistep: { warm: 1, most: 4 } },
  withoutGroups: process.argv.includes('without groups'),
});

const looking = await sandboxes.take('multistep', AbortSignal.timeout(60_000));
const inherited = returned(
  await answerOf(
    looking,
    `const fs = require('node:fs');
     return fs.readdirSync('/proc/self/fd').flatMap((fd) => {
       try { return [fs.readlinkSync('/proc/self/fd/' + fd)]; } catch { return []; }
     });`,
  ),
);
await looking.end();

for (const sandbox of [
  await sandboxes.take('multistep', AbortSignal.timeout(60_000)),
  await sandboxes.take('multistep', AbortSignal.timeout(60_000)),
]) {
  sandbox.begin(
    begin(`require('node:child_process').spawn(process.execPath, ['-e', 'for (;;);'], { detached: true, stdio: 'ignore' });
      say({ type: 'busy' });
      process.on('SIGTERM', () => undefined);
      control.removeAllListeners('close');
      await new Promise(() => setInterval(() => undefined, 1_000));`),
  );
  await sandbox.frames.next();
}
await eventually(() => sandboxes.state().kinds.multistep?.ready === 1);
process.stdout.write(JSON.stringify({ mark: ownMark(), inherited }));
setInterval(() => undefined, 1_000);
