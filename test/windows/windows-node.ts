/** The Node that these tests run: the newest one of App Service on Azure Stack Hub. Node 24 needs more than Wine 8 has. */
export const nodeVersion = '22.14.0'
