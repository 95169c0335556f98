import type { Schemas } from '../../api/openapi.d.ts';
import type { IncidentLine } from '../overview/sources.ts';

/** A tile that shows one problem. */
export type Tile = {
  key: string;
  name: string;
  /** start of the problem; null: unknown */
  since: string | null;
} & (
  | { kind: 'check'; message: string | null }
  | { kind: 'heartbeat'; isDown: boolean }
  | { kind: 'incident'; status: string; impact: IncidentLine['impact'] }
);

export interface CurrentProblems {
  failing: readonly Pick<Schemas['OverviewRow'], 'id' | 'name' | 'error_message' | 'since'>[];
  heartbeats: readonly Pick<Schemas['HeartbeatRow'], 'id' | 'name' | 'status' | 'next_expected_ping'>[];
  incidents: readonly IncidentLine[];
}

/**
 * Returns a tile for each problem: first the failing checks, newest first; then the heartbeats, down ones first; then
 * the incidents.
 */
export const tilesOf = ({ failing, heartbeats, incidents }: CurrentProblems): readonly Tile[] => [
  ...[...failing]
    .sort((one, other) => (other.since ?? '').localeCompare(one.since ?? '') || one.name.localeCompare(other.name))
    .map(({ id, name, error_message: message, since }): Tile => ({
      kind: 'check',
      key: `check ${id}`,
      name,
      message,
      since,
    })),
  ...[...heartbeats]
    .sort((one, other) => Number(other.status === 'down') - Number(one.status === 'down'))
    .map(({ id, name, status, next_expected_ping: since }): Tile => ({
      kind: 'heartbeat',
      key: `heartbeat ${id}`,
      name,
      isDown: status === 'down',
      since,
    })),
  ...incidents.map(({ id, name, status, impact, scheduled_for, created_at }): Tile => ({
    kind: 'incident',
    key: `incident ${id}`,
    name,
    status,
    impact,
    since: scheduled_for ?? created_at,
  })),
];

/**
 * Returns the length unit of the stylesheet (console/styles/_wall.css) in pixels. It grows with the width of the
 * window.
 */
export const unitOf = (width: number): number => Math.min(40, Math.max(14, width * 0.0125));

/** Size of a tile, and total height of everything above and below the tiles, in units of the stylesheet. */
const TILE = { width: 24, height: 11 };
const AROUND = 18;

/**
 * Returns the number of tiles that fit into a window, at least one.
 *
 * @param unit length unit of the stylesheet, in pixels
 */
export const fittingIn = (width: number, height: number, unit: number): number => {
  const columns = Math.max(1, Math.floor(width / (TILE.width * unit)));
  const rows = Math.max(1, Math.floor((height - AROUND * unit) / (TILE.height * unit)));
  return columns * rows;
};
