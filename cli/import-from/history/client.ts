import { OperatorError } from '../../../service/operator-error.ts';
import type { Client } from '../../apply/client.ts';

/** The requests that an import of history makes. */
export type HistoryClient = Pick<Client, 'get' | 'write'>;

/** An object that was not imported, and why. The sentence contains no address of a subscriber. */
export interface Problem {
  kind: 'incident' | 'component' | 'page' | 'subscribers';
  name: string;
  sentence: string;
}

/** A single object can't be imported. Others can be imported all the same. */
export class NotImportable extends OperatorError {}
