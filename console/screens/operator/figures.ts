import type { Schemas } from '../../api/openapi.d.ts';
import type { State } from '../../../views/status/state.tsx';

type Part = Schemas['ServiceState']['parts'][number];
type Model = Schemas['ServiceState']['read_models'][number];

const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;

/** Returns a number of bytes as readable text: `1.5 GB`. */
export const bytesText = (bytes: number, locale: string): string => {
  const step = bytes < 1 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log10(bytes) / 3));
  return new Intl.NumberFormat(locale, {
    style: 'unit',
    unit: UNITS[step] ?? 'byte',
    unitDisplay: 'short',
    maximumFractionDigits: step === 0 ? 0 : 1,
  }).format(bytes / 1_000 ** step);
};

/** Returns the parts that need attention: first those that are not ready, then those that report a problem. */
export const attentionOf = (parts: readonly Part[]): readonly Part[] =>
  parts
    .filter(({ ready, message, state }) => !ready || (message !== null && state !== 'off'))
    .sort((one, other) => Number(one.ready) - Number(other.ready));

/** Lag from which a read model counts as late, in seconds. */
const LATE = 10;

export const stateOfModel = ({ state, lag_seconds, error, set_aside }: Model): State => {
  if (error !== null || state === 'stopped' || state === 'failing') return 'major';
  if (set_aside > 0 || lag_seconds > LATE) return 'degraded';
  return state === 'live' ? 'operational' : 'maintenance';
};

type Reactor = NonNullable<Schemas['ServiceState']['reactors']>[number];

/** Returns whether a reactor is halted, or has items that are waiting, are being retried or have failed permanently. */
export const isBusy = ({ state, waiting, retrying, given_up }: Reactor): boolean =>
  state === 'halted' || (waiting ?? 0) + retrying + given_up > 0;
