import { openFileArtifacts } from '../../../stores/artifacts/files/open.ts';
import { artifactHead, LIMITS, someBytes } from '../../contracts/artifacts/examples.ts';
import { realPause } from '../../waiting.ts';

/**
 * Stores a file, prints a line when the first part is written, and then waits for a minute in which the process is
 * killed.
 */
const artifacts = openFileArtifacts({ folder: process.argv[2] ?? '', limits: LIMITS });
async function* endless(): AsyncGenerator<Uint8Array, void, undefined> {
  yield someBytes(500_000);
  console.log('written');
  await realPause(60_000, 'the process is killed meanwhile');
}
await artifacts.store(artifactHead({ id: 'cut-off' }), endless());
