import { ConnectFailed } from './connect.ts';
import { connectSentence, lookupSentence } from './failure-sentences.ts';
import { LookupFailed, TargetRefused } from './open-connection.ts';
import { TlsFailed } from './tls.ts';

/** Why connecting to a target failed. */
export interface NotConnected {
  reason: 'lookup' | 'target' | 'connect' | 'tls';
  sentence: string;
}

/** Explains why a connection could not be opened. Returns undefined if the error says nothing about the target. */
export const explainConnectFailure = (error: unknown): NotConnected | undefined => {
  if (error instanceof LookupFailed) return { reason: 'lookup', sentence: lookupSentence(error.host, error.code) };
  if (error instanceof TargetRefused) return { reason: 'target', sentence: error.message };
  if (error instanceof ConnectFailed)
    return { reason: 'connect', sentence: connectSentence(error.attempts, error.port) };
  if (error instanceof TlsFailed) return { reason: 'tls', sentence: error.message };
  return undefined;
};
