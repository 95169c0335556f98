/** What the wall view says. */
export interface WallWords {
  alerts: string;
  late: string;
  incidents: string;
  more: (count: number) => string;
  leave: string;
}
