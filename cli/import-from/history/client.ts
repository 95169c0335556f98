import { OperatorError } from '../../../service/operator-error.ts';
import type { Client } from '../../apply/client.ts';

/** The requests that an import of history makes. */
export type HistoryClient = Pick<Client, 'get' | 'write'>;

/** A single object can't be imported. Others can be imported all the same. */
export class NotImportable extends OperatorError {}
