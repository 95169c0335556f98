import { Readable } from 'node:stream';
import { validateHead } from './validate-head.ts';
import { selectSurplus, remainingBytes, tooLargeError, usageOf } from './limits.ts';
import { measure } from './measure.ts';
import { ArtifactLost, type Artifact, type ArtifactLimits, type Artifacts } from './port.ts';

const byAge = (one: Artifact, other: Artifact): number => {
  if (one.created_at !== other.created_at) return one.created_at < other.created_at ? -1 : 1;
  return one.id < other.id ? -1 : 1;
};

/** Artifacts that live as long as the process, for tests. */
export const createMemoryArtifacts = (limits: ArtifactLimits): Artifacts => {
  const stored = new Map<string, { artifact: Artifact; content: Buffer }>();
  const those = (wanted: (artifact: Artifact) => boolean): Artifact[] =>
    [...stored.values()]
      .map(({ artifact }) => artifact)
      .filter(wanted)
      .sort(byAge);
  const ofRun = (organizationId: string, runId: string | null): Artifact[] =>
    runId === null ? [] : those((one) => one.organization_id === organizationId && one.run_id === runId);

  return {
    async store(given, content) {
      const head = validateHead(given);
      const room = (): number => remainingBytes(limits, head, usageOf(ofRun(head.organization_id, head.run_id)));
      const there = stored.get(head.id);
      if (there) return there.artifact;
      const { bytes, result } = measure(content, room(), () => tooLargeError(limits, head));
      const chunks: Uint8Array[] = [];
      for await (const chunk of bytes) chunks.push(Buffer.from(chunk));
      const artifact: Artifact = { ...head, ...result() };
      const meanwhile = stored.get(head.id);
      if (meanwhile) return meanwhile.artifact;
      if (artifact.size > room()) throw tooLargeError(limits, head);
      stored.set(artifact.id, { artifact, content: Buffer.concat(chunks) });
      const all = those((one) => one.organization_id === head.organization_id);
      for (const { id } of selectSurplus(all, usageOf(all).bytes, limits)) stored.delete(id);
      return artifact;
    },
    async find(id) {
      return stored.get(id)?.artifact ?? null;
    },
    async read(id, range) {
      const found = stored.get(id);
      if (!found) throw new ArtifactLost(`The artifact ${id}`);
      const { content } = found;
      return Readable.from([range ? content.subarray(range.from, range.to + 1) : content], { objectMode: false });
    },
    async listOfRun(organizationId, runId) {
      return ofRun(organizationId, runId);
    },
    async remove(id) {
      return stored.delete(id);
    },
    async removeOfRunsBefore(before, signal) {
      if (signal.aborted) return 0;
      const old = those((one) => one.run_id !== null && one.created_at < before);
      for (const { id } of old) stored.delete(id);
      return old.length;
    },
    async usage(organizationId) {
      return usageOf(those((one) => organizationId === undefined || one.organization_id === organizationId));
    },
    async *all() {
      const artifacts = those(() => true);
      if (artifacts.length > 0) yield artifacts;
      await Promise.resolve();
    },
    async sweep() {
      return 0;
    },
    async close() {
      await Promise.resolve();
    },
  };
};
