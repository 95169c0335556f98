import { presenting } from '../../presenter.ts';
import { Page, VisitedPage } from './schema.ts';

/** A page as the API shows it. */
export const presentPage = presenting(Page);

/** A page as the API shows it to visitors. */
export const presentVisitedPage = presenting(VisitedPage);
