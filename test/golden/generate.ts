/**
 * Writes `domain/catalogue.json` and the golden events that are missing; with `--release` the current versions
 * become released ones.
 */
import { generateCatalogue } from './golden.ts';

generateCatalogue({ release: process.argv.includes('--release') });
