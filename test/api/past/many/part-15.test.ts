import { compareHistories } from './compare.ts';

compareHistories(15);
