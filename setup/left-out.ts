/**
 * Stands in a bundle for parts of packages that no function uses (`leftOut` in functions.ts). Their packages construct them,
 * or tell them of a sign-in; whatever else is called does not exist, so that it fails at once.
 */
export class RealtimeClient {
  setAuth(): void {}
}
export class IcebergRestCatalog {}
export default class {}
