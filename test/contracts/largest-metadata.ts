import { metadataOf } from '../../runners/ssl/metadata.ts';
import { worst } from '../runners/ssl/found.ts';

/** `check_metadata` as large as a server can make it, by check type: every store keeps it as it is. */
export const LARGEST_METADATA: Readonly<Record<string, object>> = { ssl: metadataOf(worst) };
