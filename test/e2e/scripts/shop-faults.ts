/** The faults that the shop can have. */
export interface Faults {
  /** placing an order fails with 500 */
  checkoutFails: boolean;
  /** the order button is labelled `Place order` instead of `Buy now` */
  buttonRenamed: boolean;
  /** delay of every page, in milliseconds */
  slow: number;
  /** the customer has another password */
  passwordChanged: boolean;
  /** the picture of the lamp is missing */
  imageMissing: boolean;
  /** the search returns nothing */
  searchEmpty: boolean;
  /** writes through the API fail with 500 */
  changingFails: boolean;
}

export const NO_FAULTS: Readonly<Faults> = {
  checkoutFails: false,
  buttonRenamed: false,
  slow: 0,
  passwordChanged: false,
  imageMissing: false,
  searchEmpty: false,
  changingFails: false,
};

/** The customer, who can sign in on the page and at the API. */
export const CUSTOMER = { email: 'ida@shop.example', password: 'correct horse battery', name: 'Ida' };

/** A token that gives access to the API without a sign-in. */
export const API_TOKEN = 'shop-api-token-7f3a9c';

/** Returns whether these are the customer's current credentials. */
export const isCustomer = (email: unknown, password: unknown, { passwordChanged }: Faults): boolean =>
  email === CUSTOMER.email && password === (passwordChanged ? 'another password' : CUSTOMER.password);
