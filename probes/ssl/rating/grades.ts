/**
 * The grades, the best first. M means that the certificate is for another host, T that the certificate is not trusted.
 */
export const GRADES = ['A', 'A-', 'B', 'C', 'D', 'E', 'F', 'M', 'T'] as const;
export type Grade = (typeof GRADES)[number];

/** The lowest score of each grade (the guide's table "Letter grade translation"). A- is assigned only by a rule. */
const LOWEST: readonly (readonly [Grade, number])[] = [
  ['A', 80],
  ['B', 65],
  ['C', 50],
  ['D', 35],
  ['E', 20],
];

/** The highest score of each grade. If a rule caps the grade, a higher score is lowered to this value. */
const HIGHEST: Readonly<Record<Grade, number>> = { A: 100, 'A-': 100, B: 79, C: 64, D: 49, E: 34, F: 19, M: 0, T: 0 };

export const gradeOf = (score: number): Grade => LOWEST.find(([, lowest]) => score >= lowest)?.[0] ?? 'F';

/** Returns the worse of two grades. */
export const worseGrade = (one: Grade, other: Grade): Grade =>
  GRADES.indexOf(one) > GRADES.indexOf(other) ? one : other;

export const highestOf = (grade: Grade): number => HIGHEST[grade];
