import { compareHistories } from './compare.ts';

compareHistories(20);
