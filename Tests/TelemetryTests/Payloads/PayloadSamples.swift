import Testing

/// A sample with its name, for tests of all of them.
struct PayloadSample: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let text: String
}

/// Payloads in the forms that systems wrote, made by hand.
enum PayloadSamples {
  static let all = [
    PayloadSample(testDescription: "simulated", text: simulated),
    PayloadSample(testDescription: "chinese", text: chinese),
    PayloadSample(testDescription: "modern", text: modern),
    PayloadSample(testDescription: "diagnostics", text: diagnostics),
    PayloadSample(testDescription: "old crash", text: oldCrash),
    PayloadSample(testDescription: "sampled tree", text: sampledTree),
  ]

  /// iOS 13 in English, simulated by Xcode: touching bins of any width, totals that disagree.
  static let simulated = """
    {
      "appVersion" : "2.4", "timeStampBegin" : "2019-10-05 22:00:00 +0000", "timeStampEnd" : "2019-10-06 21:59:00 +0000",
      "metaData" : { "appBuildVersion" : "7", "osVersion" : "iPhone OS 13.1 (17A844)", "regionFormat" : "FI",
        "deviceType" : "iPhone12,1" },
      "applicationTimeMetrics" : { "cumulativeForegroundTime" : "700 sec", "cumulativeBackgroundTime" : "40 sec" },
      "memoryMetrics" : { "peakMemoryUsage" : "200,000 kB",
        "averageSuspendedMemory" : { "averageValue" : "100,000 kB", "standardDeviation" : 0, "sampleCount" : 500 } },
      "cellularConditionMetrics" : { "cellConditionTime" : { "histogramNumBuckets" : 3, "histogramValue" : {
        "2" : { "bucketCount" : 50, "bucketStart" : "3 bars", "bucketEnd" : "3 bars" },
        "0" : { "bucketCount" : 20, "bucketStart" : "1 bars", "bucketEnd" : "1 bars" },
        "1" : { "bucketCount" : 30, "bucketStart" : "2 bars", "bucketEnd" : "2 bars" } } } },
      "applicationLaunchMetrics" : {
        "histogrammedTimeToFirstDrawKey" : { "histogramNumBuckets" : 3, "histogramValue" : {
          "1" : { "bucketCount" : 60, "bucketStart" : "2,000 ms", "bucketEnd" : "2,010 ms" },
          "0" : { "bucketCount" : 50, "bucketStart" : "1,000 ms", "bucketEnd" : "1,010 ms" },
          "2" : { "bucketCount" : 30, "bucketStart" : "3,000 ms", "bucketEnd" : "3,010 ms" } } },
        "histogrammedResumeTime" : { "histogramNumBuckets" : 3, "histogramValue" : {
          "0" : { "bucketCount" : 60, "bucketStart" : "200 ms", "bucketEnd" : "210 ms" },
          "1" : { "bucketCount" : 70, "bucketStart" : "300 ms", "bucketEnd" : "310 ms" },
          "2" : { "bucketCount" : 80, "bucketStart" : "500 ms", "bucketEnd" : "510 ms" } } } },
      "applicationResponsivenessMetrics" : { "histogrammedAppHangTime" : { "histogramNumBuckets" : 3,
        "histogramValue" : {
          "0" : { "bucketCount" : 50, "bucketStart" : "0 ms", "bucketEnd" : "100 ms" },
          "1" : { "bucketCount" : 60, "bucketStart" : "100 ms", "bucketEnd" : "400 ms" },
          "2" : { "bucketCount" : 30, "bucketStart" : "400 ms", "bucketEnd" : "700 ms" } } } },
      "signpostMetrics" : [
        { "signpostName" : "TestSignpostName1", "signpostCategory" : "TestSignpostCategory1",
          "totalSignpostCount" : 30, "signpostIntervalData" : {
            "histogrammedSignpostDurations" : { "histogramNumBuckets" : 1, "histogramValue" : {
              "0" : { "bucketCount" : 50, "bucketStart" : "0 ms", "bucketEnd" : "100 ms" } } },
            "signpostCumulativeCPUTime" : "30,000 ms", "signpostAverageMemory" : "100,000 kB",
            "signpostCumulativeLogicalWrites" : "600 kB" } },
        { "signpostName" : "TestSignpostName2", "signpostCategory" : "TestSignpostCategory2",
          "totalSignpostCount" : 40 } ]
    }
    """

  /// iOS 14 in Chinese, from a device: words and grouping of the region, a shuffled grid of 10 ms, counts left out.
  static let chinese = """
    {
      "timeStampBegin" : "2020-11-02 16:00:00 +0000", "timeStampEnd" : "2020-11-03 15:59:00 +0000",
      "appVersion" : "3.1", "signpostMetrics" : [

      ],
      "cpuMetrics" : { "cumulativeCPUTime" : "2,717秒", "cumulativeCPUInstructions" : "7,160,000 kiloinstructions" },
      "memoryMetrics" : { "peakMemoryUsage" : "1,106,818千字节" },
      "displayMetrics" : { "averagePixelLuminance" : {
        "averageValue" : "38 apl", "standardDeviation" : -1, "sampleCount" : 4021 } },
      "applicationExitMetrics" : { "foregroundExitData" : { }, "backgroundExitData" : {
        "cumulativeAppWatchdogExitCount" : 1, "cumulativeMemoryPressureExitCount" : 12 } },
      "animationMetrics" : { "scrollHitchTimeRatio" : "11 ms per s" },
      "applicationLaunchMetrics" : { "histogrammedResumeTime" : { "histogramNumBuckets" : 4, "histogramValue" : {
        "10" : { "bucketCount" : 1, "bucketStart" : "1,190,070毫秒", "bucketEnd" : "1,190,079毫秒" },
        "2" : { "bucketCount" : 3, "bucketStart" : "830毫秒", "bucketEnd" : "839毫秒" },
        "3" : { },
        "1" : { "bucketCount" : 2, "bucketStart" : "820毫秒", "bucketEnd" : "829毫秒" } } } }
    }
    """

  /// iOS 17 and later: one language for all regions, no zone, several versions, disk space, keys no one knows yet.
  static let modern = """
    {
      "appVersion" : "9.0.1", "multipleAppVersions" : "1",
      "timeStampBegin" : "2025-03-30 00:00:00", "timeStampEnd" : "2025-03-31 00:00:00",
      "metaData" : { "appBuildVersion" : "901", "osVersion" : "iPhone OS 26.0 (23A100)", "regionFormat" : "DE",
        "deviceType" : "iPhone17,2", "platformArchitecture" : "arm64e", "bundleIdentifier" : "org.example.app",
        "lowPowerModeEnabled" : false, "isTestFlightApp" : true, "pid" : -1, "colour" : "red" },
      "networkTransferMetrics" : { "cumulativeWifiUpload" : "50000 kB", "cumulativeCellularDownload" : "1 kB" },
      "applicationLaunchMetrics" : {
        "histogrammedOptimizedTimeToFirstDrawKey" : { "histogramNumBuckets" : 0, "histogramValue" : { } },
        "histogrammedExtendedLaunch" : { "histogramNumBuckets" : 1, "histogramValue" : [
          { "bucketCount" : "3", "bucketStart" : "100 ms", "bucketEnd" : "109 ms" } ] } },
      "diskSpaceUsageMetrics" : { "totalBinaryFileSize" : "52000 kB", "totalBinaryFileCount" : 312 },
      "animationMetrics" : { "hitchTimeRatio" : "4 ms per s" },
      "futureMetrics" : { "depth" : [ 1, 2.5, "three", null ] },
      "signpostMetrics" : [ { "signpostName" : "Save", "signpostCategory" : "Documents", "totalSignpostCount" : 2,
        "signpostIntervalData" : {
          "histogrammedSignpostDurations" : { "histogramNumBuckets" : 1, "histogramValue" : {
            "0" : { "bucketCount" : 2, "bucketStart" : "300 ms", "bucketEnd" : "399 ms" } } },
          "signpostCumulativeHitchTimeRatio" : "50 ms per s" } } ]
    }
    """

  /// One diagnostic of each kind, of iOS 17.
  static let diagnostics = """
    {
      "timeStampBegin" : "2025-05-02 08:15:42", "timeStampEnd" : "2025-05-02 08:15:42",
      "crashDiagnostics" : [ { "version" : "1.0.0", "callStackTree" : { "callStackPerThread" : true, "callStacks" : [
          { "threadAttributed" : true, "callStackRootFrames" : [
            { "binaryName" : "App", "binaryUUID" : "0B5D1E9A-7C3F-4E7E-8B0A-1F2E3D4C5B6A", "address" : 18446744073709551615,
              "offsetIntoBinaryTextSegment" : 9007199254740993, "sampleCount" : 1, "subFrames" : [
                { "address" : 6442450944, "offsetIntoBinaryTextSegment" : 4096 } ] } ] },
          { "threadAttributed" : false, "callStackRootFrames" : [ ] } ] },
        "diagnosticMetaData" : { "appVersion" : "9.0.1", "appBuildVersion" : "901", "pid" : 412, "signal" : 6,
          "exceptionType" : 10, "exceptionCode" : 0, "terminationReason" : null,
          "virtualMemoryRegionInfo" : "0 is not in any region. r-x\\/r-x",
          "objectiveCexceptionReason" : { "composedMessage" : "no such key: name", "formatString" : "no such key: %@",
            "arguments" : [ "name" ], "exceptionType" : "NSException", "className" : "NSException",
            "exceptionName" : "NSUnknownKeyException" },
          "signpostData" : [ { "subsystem" : "com.apple.metrickit.log", "category" : "Documents", "name" : "Save",
            "beginTimeStamp" : "2025-05-02 08:15:40", "endTimeStamp" : "2025-05-02 08:15:42", "duration" : "1.875 sec",
            "isInterval" : true } ] } } ],
      "hangDiagnostics" : [ { "version" : "1.0.0", "hangType" : "Main Runloop Hang",
        "diagnosticMetaData" : { "hangDuration" : "20 sec", "appVersion" : "9.0.1" } } ],
      "cpuExceptionDiagnostics" : [ { "version" : "1.0.0", "callStackTree" : { "callStackPerThread" : false, "callStacks" : [
          { "callStackRootFrames" : [ { "binaryName" : "App", "address" : 4310988076, "sampleCount" : 20,
            "offsetIntoBinaryTextSegment" : 46380 } ] } ] },
        "diagnosticMetaData" : { "totalCPUTime" : "20 sec", "totalSampledTime" : "21 sec" } } ],
      "diskWriteExceptionDiagnostics" : [ { "diagnosticMetaData" : { "writesCaused" : "2000 byte" } } ],
      "appLaunchDiagnostics" : [ { "diagnosticMetaData" : { "launchDuration" : "20000 ms", "mood" : "slow" } } ]
    }
    """

  /// iOS 14: the address of the image in the place of the offset, words of the region.
  static let oldCrash = """
    { "crashDiagnostics" : [ { "version" : "1.0.0", "callStackTree" : { "callStackPerThread" : true, "callStacks" : [
        { "threadAttributed" : true, "callStackRootFrames" : [ { "binaryName" : "UIKitCore", "address" : 6859821984,
          "offsetIntoBinaryTextSegment" : 6859616256, "sampleCount" : 1 } ] } ] },
      "diagnosticMetaData" : { "signal" : 11, "exceptionType" : 1, "osVersion" : "iPhone OS 14.0.1 (18A393)" } } ],
      "hangDiagnostics" : [ { "diagnosticMetaData" : { "hangDuration" : "20 secs." } } ],
      "diskWriteExceptionDiagnostics" : [ { "diagnosticMetaData" : { "writesCaused" : "2,000 byte" } } ],
      "timeStampBegin" : "2020-10-10 19:35:24 +0000", "timeStampEnd" : "2020-10-10 19:35:24 +0000" }
    """

  /// The call stacks of a sampled diagnostic, alone.
  static let sampledTree = """
    { "callStackPerThread" : false, "extra" : true, "callStacks" : [ { "callStackRootFrames" : [
      { "binaryUUID" : "6F0C1C0B-54D8-4C1A-9A55-0A3B6E1D2F11", "sampleCount" : 7, "address" : 4312798220,
        "subFrames" : [ { "sampleCount" : 6, "binaryName" : "App", "subFrames" : [ ] } ] } ] } ] }
    """
}
