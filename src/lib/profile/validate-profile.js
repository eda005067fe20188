// Made from src/lib/profile/json-schema.ts by npm run generate.
"use strict";
export const validateProfile = validate20;
const schema31 = {"type":"object","required":["name","displayName","environment","authorityHost","resourceManagerEndpoint","resourceManagerAudience","serviceDnsSuffixes","serviceAudiences"],"properties":{"name":{"type":"string","pattern":"^[^\\u0000-\\u001F\\u007F-\\u009F]*[^\\s\\u0000-\\u001F\\u007F-\\u009F][^\\u0000-\\u001F\\u007F-\\u009F]*$"},"displayName":{"type":"string","pattern":"^[^\\u0000-\\u001F\\u007F-\\u009F]*[^\\s\\u0000-\\u001F\\u007F-\\u009F][^\\u0000-\\u001F\\u007F-\\u009F]*$"},"environment":{"type":"string","enum":["public","usgovernment","usgovernmentsecret","usgovernmenttopsecret","platformstackcloud","custom"]},"authorityHost":{"type":"string","pattern":"^[Hh][Tt][Tt][Pp][Ss]:\\/\\/[^\\s\\\\?#@/]+\\/([^\\s\\\\?#]*\\/)?$"},"resourceManagerEndpoint":{"type":"string","pattern":"^[Hh][Tt][Tt][Pp][Ss]?:\\/\\/[^\\s\\\\?#@/]+\\/([^\\s\\\\?#]*\\/)?$"},"resourceManagerAudience":{"type":"string","pattern":"^[A-Za-z][A-Za-z0-9+.-]*:\\/\\/[^\\s\\\\?#@/]+\\/([^\\s\\\\?#]*\\/)?$"},"tenantId":{"type":"string","pattern":"^[A-Za-z0-9][A-Za-z0-9.-]*$"},"portalUrl":{"type":"string","pattern":"^[Hh][Tt][Tt][Pp][Ss]?:\\/\\/[^\\s\\\\?#@/]+(\\/[^\\s\\\\?#]*)?$"},"metadataEndpoint":{"type":"string","pattern":"^[Hh][Tt][Tt][Pp][Ss]?:\\/\\/[^\\s\\\\?#@/]+(\\/[^\\s\\\\?#]*)?$"},"serviceDnsSuffixes":{"type":"object","required":["storage","keyVault","sqlServer","containerRegistry"],"properties":{"storage":{"type":"string","pattern":"^(\\.[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?)+$"},"keyVault":{"type":"string","pattern":"^(\\.[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?)+$"},"sqlServer":{"type":"string","pattern":"^(\\.[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?)+$"},"containerRegistry":{"type":"string","pattern":"^(\\.[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?)+$"}}},"serviceAudiences":{"type":"object","required":["arm","storage","keyVault"],"properties":{"arm":{"type":"string","pattern":"^[A-Za-z][A-Za-z0-9+.-]*:\\/\\/[^\\s\\\\?#@/]+\\/([^\\s\\\\?#]*\\/)?$"},"storage":{"type":"string","pattern":"^[A-Za-z][A-Za-z0-9+.-]*:\\/\\/[^\\s\\\\?#@/]+\\/([^\\s\\\\?#]*\\/)?$"},"keyVault":{"type":"string","pattern":"^[A-Za-z][A-Za-z0-9+.-]*:\\/\\/[^\\s\\\\?#@/]+\\/([^\\s\\\\?#]*\\/)?$"}}},"notes":{"type":"string"}}};
const pattern4 = new RegExp("^[^\\u0000-\\u001F\\u007F-\\u009F]*[^\\s\\u0000-\\u001F\\u007F-\\u009F][^\\u0000-\\u001F\\u007F-\\u009F]*$", "");
const pattern6 = new RegExp("^[Hh][Tt][Tt][Pp][Ss]:\\/\\/[^\\s\\\\?#@/]+\\/([^\\s\\\\?#]*\\/)?$", "");
const pattern7 = new RegExp("^[Hh][Tt][Tt][Pp][Ss]?:\\/\\/[^\\s\\\\?#@/]+\\/([^\\s\\\\?#]*\\/)?$", "");
const pattern8 = new RegExp("^[A-Za-z][A-Za-z0-9+.-]*:\\/\\/[^\\s\\\\?#@/]+\\/([^\\s\\\\?#]*\\/)?$", "");
const pattern9 = new RegExp("^[A-Za-z0-9][A-Za-z0-9.-]*$", "");
const pattern10 = new RegExp("^[Hh][Tt][Tt][Pp][Ss]?:\\/\\/[^\\s\\\\?#@/]+(\\/[^\\s\\\\?#]*)?$", "");
const pattern12 = new RegExp("^(\\.[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?)+$", "");

function validate20(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate20.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.name === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "name"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.displayName === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "displayName"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data.environment === undefined){
const err2 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "environment"}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if(data.authorityHost === undefined){
const err3 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "authorityHost"}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
if(data.resourceManagerEndpoint === undefined){
const err4 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "resourceManagerEndpoint"}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
if(data.resourceManagerAudience === undefined){
const err5 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "resourceManagerAudience"}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
if(data.serviceDnsSuffixes === undefined){
const err6 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "serviceDnsSuffixes"}};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
if(data.serviceAudiences === undefined){
const err7 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "serviceAudiences"}};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
if(data.name !== undefined){
let data0 = data.name;
if(typeof data0 === "string"){
if(!pattern4.test(data0)){
const err8 = {instancePath:instancePath+"/name",schemaPath:"#/properties/name/pattern",keyword:"pattern",params:{pattern: "^[^\\u0000-\\u001F\\u007F-\\u009F]*[^\\s\\u0000-\\u001F\\u007F-\\u009F][^\\u0000-\\u001F\\u007F-\\u009F]*$"}};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
else {
const err9 = {instancePath:instancePath+"/name",schemaPath:"#/properties/name/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
if(data.displayName !== undefined){
let data1 = data.displayName;
if(typeof data1 === "string"){
if(!pattern4.test(data1)){
const err10 = {instancePath:instancePath+"/displayName",schemaPath:"#/properties/displayName/pattern",keyword:"pattern",params:{pattern: "^[^\\u0000-\\u001F\\u007F-\\u009F]*[^\\s\\u0000-\\u001F\\u007F-\\u009F][^\\u0000-\\u001F\\u007F-\\u009F]*$"}};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
}
else {
const err11 = {instancePath:instancePath+"/displayName",schemaPath:"#/properties/displayName/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
}
if(data.environment !== undefined){
let data2 = data.environment;
if(typeof data2 !== "string"){
const err12 = {instancePath:instancePath+"/environment",schemaPath:"#/properties/environment/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
if(!((((((data2 === "public") || (data2 === "usgovernment")) || (data2 === "usgovernmentsecret")) || (data2 === "usgovernmenttopsecret")) || (data2 === "platformstackcloud")) || (data2 === "custom"))){
const err13 = {instancePath:instancePath+"/environment",schemaPath:"#/properties/environment/enum",keyword:"enum",params:{allowedValues: schema31.properties.environment.enum}};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
}
if(data.authorityHost !== undefined){
let data3 = data.authorityHost;
if(typeof data3 === "string"){
if(!pattern6.test(data3)){
const err14 = {instancePath:instancePath+"/authorityHost",schemaPath:"#/properties/authorityHost/pattern",keyword:"pattern",params:{pattern: "^[Hh][Tt][Tt][Pp][Ss]:\\/\\/[^\\s\\\\?#@/]+\\/([^\\s\\\\?#]*\\/)?$"}};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
}
else {
const err15 = {instancePath:instancePath+"/authorityHost",schemaPath:"#/properties/authorityHost/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
}
}
if(data.resourceManagerEndpoint !== undefined){
let data4 = data.resourceManagerEndpoint;
if(typeof data4 === "string"){
if(!pattern7.test(data4)){
const err16 = {instancePath:instancePath+"/resourceManagerEndpoint",schemaPath:"#/properties/resourceManagerEndpoint/pattern",keyword:"pattern",params:{pattern: "^[Hh][Tt][Tt][Pp][Ss]?:\\/\\/[^\\s\\\\?#@/]+\\/([^\\s\\\\?#]*\\/)?$"}};
if(vErrors === null){
vErrors = [err16];
}
else {
vErrors.push(err16);
}
errors++;
}
}
else {
const err17 = {instancePath:instancePath+"/resourceManagerEndpoint",schemaPath:"#/properties/resourceManagerEndpoint/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err17];
}
else {
vErrors.push(err17);
}
errors++;
}
}
if(data.resourceManagerAudience !== undefined){
let data5 = data.resourceManagerAudience;
if(typeof data5 === "string"){
if(!pattern8.test(data5)){
const err18 = {instancePath:instancePath+"/resourceManagerAudience",schemaPath:"#/properties/resourceManagerAudience/pattern",keyword:"pattern",params:{pattern: "^[A-Za-z][A-Za-z0-9+.-]*:\\/\\/[^\\s\\\\?#@/]+\\/([^\\s\\\\?#]*\\/)?$"}};
if(vErrors === null){
vErrors = [err18];
}
else {
vErrors.push(err18);
}
errors++;
}
}
else {
const err19 = {instancePath:instancePath+"/resourceManagerAudience",schemaPath:"#/properties/resourceManagerAudience/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err19];
}
else {
vErrors.push(err19);
}
errors++;
}
}
if(data.tenantId !== undefined){
let data6 = data.tenantId;
if(typeof data6 === "string"){
if(!pattern9.test(data6)){
const err20 = {instancePath:instancePath+"/tenantId",schemaPath:"#/properties/tenantId/pattern",keyword:"pattern",params:{pattern: "^[A-Za-z0-9][A-Za-z0-9.-]*$"}};
if(vErrors === null){
vErrors = [err20];
}
else {
vErrors.push(err20);
}
errors++;
}
}
else {
const err21 = {instancePath:instancePath+"/tenantId",schemaPath:"#/properties/tenantId/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err21];
}
else {
vErrors.push(err21);
}
errors++;
}
}
if(data.portalUrl !== undefined){
let data7 = data.portalUrl;
if(typeof data7 === "string"){
if(!pattern10.test(data7)){
const err22 = {instancePath:instancePath+"/portalUrl",schemaPath:"#/properties/portalUrl/pattern",keyword:"pattern",params:{pattern: "^[Hh][Tt][Tt][Pp][Ss]?:\\/\\/[^\\s\\\\?#@/]+(\\/[^\\s\\\\?#]*)?$"}};
if(vErrors === null){
vErrors = [err22];
}
else {
vErrors.push(err22);
}
errors++;
}
}
else {
const err23 = {instancePath:instancePath+"/portalUrl",schemaPath:"#/properties/portalUrl/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err23];
}
else {
vErrors.push(err23);
}
errors++;
}
}
if(data.metadataEndpoint !== undefined){
let data8 = data.metadataEndpoint;
if(typeof data8 === "string"){
if(!pattern10.test(data8)){
const err24 = {instancePath:instancePath+"/metadataEndpoint",schemaPath:"#/properties/metadataEndpoint/pattern",keyword:"pattern",params:{pattern: "^[Hh][Tt][Tt][Pp][Ss]?:\\/\\/[^\\s\\\\?#@/]+(\\/[^\\s\\\\?#]*)?$"}};
if(vErrors === null){
vErrors = [err24];
}
else {
vErrors.push(err24);
}
errors++;
}
}
else {
const err25 = {instancePath:instancePath+"/metadataEndpoint",schemaPath:"#/properties/metadataEndpoint/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err25];
}
else {
vErrors.push(err25);
}
errors++;
}
}
if(data.serviceDnsSuffixes !== undefined){
let data9 = data.serviceDnsSuffixes;
if(data9 && typeof data9 == "object" && !Array.isArray(data9)){
if(data9.storage === undefined){
const err26 = {instancePath:instancePath+"/serviceDnsSuffixes",schemaPath:"#/properties/serviceDnsSuffixes/required",keyword:"required",params:{missingProperty: "storage"}};
if(vErrors === null){
vErrors = [err26];
}
else {
vErrors.push(err26);
}
errors++;
}
if(data9.keyVault === undefined){
const err27 = {instancePath:instancePath+"/serviceDnsSuffixes",schemaPath:"#/properties/serviceDnsSuffixes/required",keyword:"required",params:{missingProperty: "keyVault"}};
if(vErrors === null){
vErrors = [err27];
}
else {
vErrors.push(err27);
}
errors++;
}
if(data9.sqlServer === undefined){
const err28 = {instancePath:instancePath+"/serviceDnsSuffixes",schemaPath:"#/properties/serviceDnsSuffixes/required",keyword:"required",params:{missingProperty: "sqlServer"}};
if(vErrors === null){
vErrors = [err28];
}
else {
vErrors.push(err28);
}
errors++;
}
if(data9.containerRegistry === undefined){
const err29 = {instancePath:instancePath+"/serviceDnsSuffixes",schemaPath:"#/properties/serviceDnsSuffixes/required",keyword:"required",params:{missingProperty: "containerRegistry"}};
if(vErrors === null){
vErrors = [err29];
}
else {
vErrors.push(err29);
}
errors++;
}
if(data9.storage !== undefined){
let data10 = data9.storage;
if(typeof data10 === "string"){
if(!pattern12.test(data10)){
const err30 = {instancePath:instancePath+"/serviceDnsSuffixes/storage",schemaPath:"#/properties/serviceDnsSuffixes/properties/storage/pattern",keyword:"pattern",params:{pattern: "^(\\.[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?)+$"}};
if(vErrors === null){
vErrors = [err30];
}
else {
vErrors.push(err30);
}
errors++;
}
}
else {
const err31 = {instancePath:instancePath+"/serviceDnsSuffixes/storage",schemaPath:"#/properties/serviceDnsSuffixes/properties/storage/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err31];
}
else {
vErrors.push(err31);
}
errors++;
}
}
if(data9.keyVault !== undefined){
let data11 = data9.keyVault;
if(typeof data11 === "string"){
if(!pattern12.test(data11)){
const err32 = {instancePath:instancePath+"/serviceDnsSuffixes/keyVault",schemaPath:"#/properties/serviceDnsSuffixes/properties/keyVault/pattern",keyword:"pattern",params:{pattern: "^(\\.[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?)+$"}};
if(vErrors === null){
vErrors = [err32];
}
else {
vErrors.push(err32);
}
errors++;
}
}
else {
const err33 = {instancePath:instancePath+"/serviceDnsSuffixes/keyVault",schemaPath:"#/properties/serviceDnsSuffixes/properties/keyVault/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err33];
}
else {
vErrors.push(err33);
}
errors++;
}
}
if(data9.sqlServer !== undefined){
let data12 = data9.sqlServer;
if(typeof data12 === "string"){
if(!pattern12.test(data12)){
const err34 = {instancePath:instancePath+"/serviceDnsSuffixes/sqlServer",schemaPath:"#/properties/serviceDnsSuffixes/properties/sqlServer/pattern",keyword:"pattern",params:{pattern: "^(\\.[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?)+$"}};
if(vErrors === null){
vErrors = [err34];
}
else {
vErrors.push(err34);
}
errors++;
}
}
else {
const err35 = {instancePath:instancePath+"/serviceDnsSuffixes/sqlServer",schemaPath:"#/properties/serviceDnsSuffixes/properties/sqlServer/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err35];
}
else {
vErrors.push(err35);
}
errors++;
}
}
if(data9.containerRegistry !== undefined){
let data13 = data9.containerRegistry;
if(typeof data13 === "string"){
if(!pattern12.test(data13)){
const err36 = {instancePath:instancePath+"/serviceDnsSuffixes/containerRegistry",schemaPath:"#/properties/serviceDnsSuffixes/properties/containerRegistry/pattern",keyword:"pattern",params:{pattern: "^(\\.[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?)+$"}};
if(vErrors === null){
vErrors = [err36];
}
else {
vErrors.push(err36);
}
errors++;
}
}
else {
const err37 = {instancePath:instancePath+"/serviceDnsSuffixes/containerRegistry",schemaPath:"#/properties/serviceDnsSuffixes/properties/containerRegistry/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err37];
}
else {
vErrors.push(err37);
}
errors++;
}
}
}
else {
const err38 = {instancePath:instancePath+"/serviceDnsSuffixes",schemaPath:"#/properties/serviceDnsSuffixes/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err38];
}
else {
vErrors.push(err38);
}
errors++;
}
}
if(data.serviceAudiences !== undefined){
let data14 = data.serviceAudiences;
if(data14 && typeof data14 == "object" && !Array.isArray(data14)){
if(data14.arm === undefined){
const err39 = {instancePath:instancePath+"/serviceAudiences",schemaPath:"#/properties/serviceAudiences/required",keyword:"required",params:{missingProperty: "arm"}};
if(vErrors === null){
vErrors = [err39];
}
else {
vErrors.push(err39);
}
errors++;
}
if(data14.storage === undefined){
const err40 = {instancePath:instancePath+"/serviceAudiences",schemaPath:"#/properties/serviceAudiences/required",keyword:"required",params:{missingProperty: "storage"}};
if(vErrors === null){
vErrors = [err40];
}
else {
vErrors.push(err40);
}
errors++;
}
if(data14.keyVault === undefined){
const err41 = {instancePath:instancePath+"/serviceAudiences",schemaPath:"#/properties/serviceAudiences/required",keyword:"required",params:{missingProperty: "keyVault"}};
if(vErrors === null){
vErrors = [err41];
}
else {
vErrors.push(err41);
}
errors++;
}
if(data14.arm !== undefined){
let data15 = data14.arm;
if(typeof data15 === "string"){
if(!pattern8.test(data15)){
const err42 = {instancePath:instancePath+"/serviceAudiences/arm",schemaPath:"#/properties/serviceAudiences/properties/arm/pattern",keyword:"pattern",params:{pattern: "^[A-Za-z][A-Za-z0-9+.-]*:\\/\\/[^\\s\\\\?#@/]+\\/([^\\s\\\\?#]*\\/)?$"}};
if(vErrors === null){
vErrors = [err42];
}
else {
vErrors.push(err42);
}
errors++;
}
}
else {
const err43 = {instancePath:instancePath+"/serviceAudiences/arm",schemaPath:"#/properties/serviceAudiences/properties/arm/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err43];
}
else {
vErrors.push(err43);
}
errors++;
}
}
if(data14.storage !== undefined){
let data16 = data14.storage;
if(typeof data16 === "string"){
if(!pattern8.test(data16)){
const err44 = {instancePath:instancePath+"/serviceAudiences/storage",schemaPath:"#/properties/serviceAudiences/properties/storage/pattern",keyword:"pattern",params:{pattern: "^[A-Za-z][A-Za-z0-9+.-]*:\\/\\/[^\\s\\\\?#@/]+\\/([^\\s\\\\?#]*\\/)?$"}};
if(vErrors === null){
vErrors = [err44];
}
else {
vErrors.push(err44);
}
errors++;
}
}
else {
const err45 = {instancePath:instancePath+"/serviceAudiences/storage",schemaPath:"#/properties/serviceAudiences/properties/storage/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err45];
}
else {
vErrors.push(err45);
}
errors++;
}
}
if(data14.keyVault !== undefined){
let data17 = data14.keyVault;
if(typeof data17 === "string"){
if(!pattern8.test(data17)){
const err46 = {instancePath:instancePath+"/serviceAudiences/keyVault",schemaPath:"#/properties/serviceAudiences/properties/keyVault/pattern",keyword:"pattern",params:{pattern: "^[A-Za-z][A-Za-z0-9+.-]*:\\/\\/[^\\s\\\\?#@/]+\\/([^\\s\\\\?#]*\\/)?$"}};
if(vErrors === null){
vErrors = [err46];
}
else {
vErrors.push(err46);
}
errors++;
}
}
else {
const err47 = {instancePath:instancePath+"/serviceAudiences/keyVault",schemaPath:"#/properties/serviceAudiences/properties/keyVault/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err47];
}
else {
vErrors.push(err47);
}
errors++;
}
}
}
else {
const err48 = {instancePath:instancePath+"/serviceAudiences",schemaPath:"#/properties/serviceAudiences/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err48];
}
else {
vErrors.push(err48);
}
errors++;
}
}
if(data.notes !== undefined){
if(typeof data.notes !== "string"){
const err49 = {instancePath:instancePath+"/notes",schemaPath:"#/properties/notes/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err49];
}
else {
vErrors.push(err49);
}
errors++;
}
}
}
else {
const err50 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err50];
}
else {
vErrors.push(err50);
}
errors++;
}
validate20.errors = vErrors;
return errors === 0;
}
validate20.evaluated = {"props":{"name":true,"displayName":true,"environment":true,"authorityHost":true,"resourceManagerEndpoint":true,"resourceManagerAudience":true,"tenantId":true,"portalUrl":true,"metadataEndpoint":true,"serviceDnsSuffixes":true,"serviceAudiences":true,"notes":true},"dynamicProps":false,"dynamicItems":false};
