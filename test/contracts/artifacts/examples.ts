import { createHash, randomBytes } from 'node:crypto';
import type { ArtifactHead, ArtifactLimits } from '../../../stores/artifacts/port.ts';

/** Small limits that a test can reach. */
export const LIMITS: ArtifactLimits = { runFiles: 4, runBytes: 1_000_000, organizationBytes: 3_000_000 };

let made = 0;

/** Returns metadata of a new artifact, with a run and an organization that have no other artifacts. */
export const artifactHead = (given: Partial<ArtifactHead> = {}): ArtifactHead => {
  const number = (++made).toString();
  return {
    id: `artifact-${number}`,
    organization_id: `organization-${number}`,
    run_id: `run-${number}`,
    name: 'screenshot.png',
    media_type: 'image/png',
    created_at: '2026-05-04T03:02:01.000Z',
    ...given,
  };
};

export const onTheHour = (hour: number): string => `2026-05-04T${hour.toString().padStart(2, '0')}:00:00.000Z`;

export const someBytes = (bytes: number): Buffer => randomBytes(bytes);

/** Yields content in pieces. */
export async function* pieces(content: Uint8Array, length = 60_000): AsyncGenerator<Uint8Array, void, undefined> {
  for (let from = 0; from < content.length; from += length) {
    await Promise.resolve();
    yield content.subarray(from, from + length);
  }
}

export const readAll = async (content: AsyncIterable<Uint8Array>): Promise<Buffer> => {
  const chunks: Uint8Array[] = [];
  for await (const chunk of content) chunks.push(chunk);
  return Buffer.concat(chunks);
};

export const sha256 = (content: Uint8Array): string => createHash('sha256').update(content).digest('hex');
