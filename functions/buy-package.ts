import { buyPackageRequest } from '#billing/domain/minutes/packages.ts'
import { buyPackage } from '#billing/server/packages.ts'
import { pagePost } from '#platform/server/http.ts'

/** POST { request } with a bearer token → { status }. Puts a package of minutes on the next invoice. */
export default pagePost({ name: 'buy-package', body: buyPackageRequest, handle: buyPackage })
