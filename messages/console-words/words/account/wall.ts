/** Texts of the wall view. */
export interface WallWords {
  alerts: string;
  late: string;
  incidents: string;
  more: (count: number) => string;
  leave: string;
}
