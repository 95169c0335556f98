import { TcpParameters } from '../../domain/check/types/tcp.ts';
import type { CheckType } from '../probe/check-type.ts';
import { TcpMetadata } from './metadata.ts';
import { runTcp } from './run.ts';

/** Checks of type `tcp`: is there a connection, and does the server say what it should? */
export const tcp: CheckType = {
  type: 'tcp',
  parameters: TcpParameters,
  metadata: TcpMetadata,
  tools: [],
  run: runTcp,
};
