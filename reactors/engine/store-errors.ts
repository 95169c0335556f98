import { ReadModelLate, ReadModelUnavailable } from '../../projections/readers.ts';
import { ArtifactsUnavailable } from '../../stores/artifacts/port.ts';
import { CoordinationUnavailable } from '../../stores/coordination/port.ts';
import { StoreUnavailable } from '../../stores/event-store/port.ts';
import { KeysUnavailable } from '../../stores/keys/port.ts';
import { ReadStoreUnavailable } from '../../stores/read-store/port.ts';

/** Returns whether an error means that a store is unavailable. */
export const isStoreUnavailable = (error: unknown): boolean =>
  [StoreUnavailable, ReadStoreUnavailable, CoordinationUnavailable, KeysUnavailable, ArtifactsUnavailable].some(
    (Unavailable) => error instanceof Unavailable,
  );

/**
 * Returns whether an error means that a read model lags or is being built. Unlike an unavailable store, it affects only
 * items that read this read model.
 */
export const isReadModelLate = (error: unknown): boolean =>
  error instanceof ReadModelUnavailable || error instanceof ReadModelLate;
