/** Opens a page in a sandboxed browser and prints its title, or the reason why that failed. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { systemClock } from '../../network/clock.ts';
import { thisMachine } from '../../probes/script/sandbox/seccomp/filter.ts';
import { openSandboxFolders } from '../../probes/script/sandbox/start/sandbox-folders.ts';
import { programsHere } from '../../probes/script/sandbox/start/programs.ts';
import { startSandboxed } from '../../probes/script/sandbox/start/sandboxed.ts';
import { sandboxContentOf } from '../../probes/script/sandbox/tree/sandbox-content.ts';
import { PROJECT } from './project.ts';

const PAGE = 'data:text/html,<title>x</title><script>document.title = `${6 * 7} pages`</script>';
const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--no-zygote',
  '--disable-background-networking',
  '--dump-dom',
];

const programs = await programsHere();
if (typeof programs === 'string') throw new Error(programs);
const home = await openSandboxFolders(thisMachine());
const inside = sandboxContentOf('synthetic', {
  main: join(PROJECT, 'build/test/deploy/trial-browser.js'),
  modules: PROJECT,
  packages: [],
  chromium: '/usr/bin/chromium',
  ffmpeg: null,
  extraCertificates: null,
});
const opens = `
  const { spawnSync } = require('node:child_process');
  const { status, stdout, stderr } = spawnSync('${inside.places.chromium ?? ''}', ${JSON.stringify([...FLAGS, PAGE])}, { encoding: 'utf8' });
  console.log(status === 0 ? /<title>(.*?)<\\/title>/.exec(stdout)?.[1] : stderr);
`;
try {
  const { running } = await startSandboxed({
    kind: 'synthetic',
    name: 'trial',
    inside,
    machinery: { home, programs, groups: null, clock: systemClock },
    proxyFor: async (path) => {
      await writeFile(path, '');
      return { close: () => undefined };
    },
    instead: ['-e', opens],
  });
  for (const stream of [running.stdout, running.stderr]) stream.pipe(process.stdout);
  const end = await running.ended;
  if (end.how !== 'died' || !end.cause.endsWith('code 0')) console.log(end);
} finally {
  await home.remove();
}
