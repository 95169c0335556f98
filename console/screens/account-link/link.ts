import type { AnswerOf } from '../../api/request.ts';

/** The purpose of an account link. */
export type AccountLink = AnswerOf<'POST /v1/users/link'>;
