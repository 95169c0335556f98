import { PROTOCOL_NAMES, titleOf } from '../wire/protocols.ts';
import { isAnonymous, suitesOf, type RatedServer } from './server.ts';
import { categoryScores, totalOf, weakestKey, type CategoryScores } from './category-scores.ts';
import { gradeOf, GRADES, highestOf, worseGrade, type Grade } from './grades.ts';
import { capsOf, type Cap } from './rules.ts';

/** The rating of a server according to SSL Labs' SSL Server Rating Guide, version 2009r. */
export interface Rating {
  /** 0 to 100 */
  score: number;
  /** The grade. It is never A+, which would require a check of HTTP Strict Transport Security. */
  grade: Grade;
  categories: CategoryScores;
  /** a sentence for each deduction, the costliest first */
  deductions: string[];
}

/**
 * Rates a server. The scores for protocols (30 %), key exchange (30 %) and cipher strength (40 %) determine a grade,
 * which rules may cap. If the grade is capped, the score is at most the highest score of that grade.
 */
export const rate = (server: RatedServer): Rating => {
  const categories = categoryScores(server);
  const points = totalOf(categories);
  const caps = capsOf(server).sort((one, other) => GRADES.indexOf(other.grade) - GRADES.indexOf(one.grade));
  const grade = caps.reduce((worst, cap) => worseGrade(worst, cap.grade), gradeOf(points));
  return {
    score: Math.min(points, highestOf(grade)),
    grade,
    categories,
    deductions: [...caps.map(capped), ...lostPoints(server, categories)],
  };
};

const capped = ({ grade, sentence }: Cap): string =>
  `${sentence} The grade is ${highestOf(grade) < 20 ? grade : `${grade} at best`}.`;

/** Returns sentences about the categories in which the server lost points. */
const lostPoints = (server: RatedServer, { protocol, key_exchange, cipher_strength }: CategoryScores): string[] => {
  const sentences: string[] = [];
  const oldest = PROTOCOL_NAMES.find((name) => server.protocols[name].supported);
  if (protocol < 100 && oldest) sentences.push(`Protocols have ${of100(protocol)}: the oldest is ${titleOf(oldest)}.`);
  if (key_exchange < 100) sentences.push(`Key exchange has ${of100(key_exchange)}: ${whyKeys(server)}.`);
  const bits = suitesOf(server).map((suite) => suite.bits);
  if (cipher_strength < 100 && bits.length > 0)
    sentences.push(
      `Cipher strength has ${of100(cipher_strength)}: the weakest cipher has ${strength(Math.min(...bits))}.`,
    );
  return sentences;
};

const of100 = (points: number): string => `${points} of 100 points`;

const strength = (bits: number): string => (bits === 0 ? 'no encryption' : `${bits} bits`);

const whyKeys = (server: RatedServer): string => {
  const suites = suitesOf(server);
  if (suites.some(isAnonymous)) return 'some suites authenticate nobody';
  if (suites.some((suite) => suite.export)) return 'export suites use 512-bit keys';
  const weakest = weakestKey(server);
  return weakest ? `it is only as strong as ${weakest.words}` : 'no key is known';
};
