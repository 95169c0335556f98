import type { Outcome, OutcomeFile } from '../../probes/engine/check-type.ts';
import type { Staging } from '../../probes/staging.ts';
import { notStoredNote, withNote } from '../worker/result-files.ts';
import type { ServiceClient } from './client.ts';
import type { Welcome } from './protocol.ts';

/** How long a result waits for all its files to be uploaded, in milliseconds. */
const UPLOADING_MS = 30_000;

export interface RemoteFiles {
  /**
   * Uploads the files of an outcome, and removes the staged files. A file that cannot be uploaded is left out, and a
   * note is added to the metadata. Never rejects.
   */
  send: (outcome: Outcome, delivery: string) => Promise<Outcome>;
  /** Leaves out all files of an outcome, because the service is unreachable. */
  leaveOut: (outcome: Outcome) => Promise<Outcome>;
  discard: (outcome: Pick<Outcome, 'files'>) => Promise<void>;
}

export interface RemoteFilesOptions {
  client: Pick<ServiceClient, 'upload'>;
  /** returns null while the service is unreachable */
  session: () => Pick<Welcome, 'session' | 'limits'> | null;
  /** null if runs produce no files */
  staging: Pick<Staging, 'read' | 'discard'> | null;
}

export const createRemoteFiles = ({ client, session, staging }: RemoteFilesOptions): RemoteFiles => {
  /** Uploads a file. @returns the name of the file at the service */
  const upload = async (file: OutcomeFile, delivery: string, signal: AbortSignal): Promise<string> => {
    const current = session();
    if (!current || !staging) throw new Error('The service could not be reached.');
    if (file.size > current.limits.file_bytes)
      throw new Error(`The service accepts files of at most ${current.limits.file_bytes} bytes.`);
    const content = { media_type: file.media_type, size: file.size, content: staging.read(file) };
    return client.upload(current.session, delivery, content, signal);
  };

  const sendAll = async (files: readonly OutcomeFile[], delivery: string) => {
    const signal = AbortSignal.timeout(UPLOADING_MS);
    const sent: OutcomeFile[] = [];
    const reasons: string[] = [];
    for (const file of files) {
      try {
        sent.push({ ...file, staged: await upload(file, delivery, signal) });
      } catch (error) {
        reasons.push(error instanceof Error ? error.message : String(error));
      }
    }
    return { sent, reasons };
  };

  const discard = async ({ files = [] }: Pick<Outcome, 'files'>): Promise<void> => {
    if (files.length > 0) await staging?.discard(files);
  };

  const withFiles = (outcome: Outcome, files: readonly OutcomeFile[], reasons: readonly string[]): Outcome => ({
    ...outcome,
    files,
    ...(reasons.length > 0 && { check_metadata: withNote(outcome.check_metadata, notStoredNote(reasons)) }),
  });

  return {
    send: async (outcome, delivery) => {
      const { files = [] } = outcome;
      if (files.length === 0) return outcome;
      const { sent, reasons } = await sendAll(files, delivery);
      await discard(outcome);
      return withFiles(outcome, sent, reasons);
    },
    leaveOut: async (outcome) => {
      const { files = [] } = outcome;
      if (files.length === 0) return outcome;
      await discard(outcome);
      return withFiles(
        outcome,
        [],
        files.map(() => 'The service could not be reached.'),
      );
    },
    discard,
  };
};
